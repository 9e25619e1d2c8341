"""The loss over w: equal to the training loss, and its floor to the best width."""

import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import Samples, generate, measured
from attention_core.learning.gradient import SquaredError
from attention_core.learning.model import NWKernelRegression
from attention_core.learning.training import LOSSES, TrainingConfig, train
from attention_core.learning.valley import floor, loss_at, valley
from attention_core.regression.selection import best_width, loo_losses
from tests.attention_core.learning.left_out import others

samples = generate()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("data", [samples, generate("doppler", 130, seed=3), measured("faithful")])
def test_both_curves_are_the_training_loss(data, loss):
    made = valley(data, loss)
    share = LOSSES[loss](len(data.x))
    assert made.w.shape == made.leave_one_out.shape == made.with_itself.shape == (97,)
    for i in range(0, 97, 16):
        w = float(made.w[i])
        assert made.leave_one_out[i].item() == pytest.approx(share * SquaredError(data)(w)[0], rel=1e-9)
        assert made.with_itself[i].item() == pytest.approx(share * SquaredError(data, False)(w)[0], rel=1e-9)


def test_the_leave_one_out_curve_is_that_of_the_widths():
    made = valley(samples, "mean")
    torch.testing.assert_close(made.leave_one_out, loo_losses(samples, 1 / made.w))
    assert (made.w.diff() > 0).all()


@pytest.mark.parametrize("leave_one_out", [True, False])
@pytest.mark.parametrize("w", [0.0, -1.3, 4.0, 1e5])
def test_the_loss_at_one_w_is_the_modules(w, leave_one_out):
    keys, values = others(samples) if leave_one_out else (samples.x, samples.y)
    expected = (NWKernelRegression(w)(samples.x, keys, values).output - samples.y).square().sum().item()
    assert loss_at(samples, w, leave_one_out) == pytest.approx(expected, rel=1e-10)
    assert loss_at(samples, w, leave_one_out, "half") == pytest.approx(expected / 2, rel=1e-10)


def test_the_loss_at_w_is_what_training_reports():
    step = next(train(samples, TrainingConfig(w0=2.2, loss="mean")))
    assert loss_at(samples, 2.2, True, "mean") == step.loss


def test_the_floor_is_the_published_optimum_and_one_over_the_best_width():
    best = floor(samples)
    assert best.w == pytest.approx(3.964252, abs=2e-6)
    assert best.w == pytest.approx(1 / best_width(samples), rel=1e-4)
    assert best.loss == pytest.approx(50 * loo_losses(samples, [best_width(samples)]).item(), rel=1e-8)
    assert abs(SquaredError(samples)(best.w)[1]) < 1e-4  # level ground


@pytest.mark.parametrize("name", ["motorcycle", "engel", "faithful"])
def test_no_w_of_the_curve_lies_below_the_floor(name):
    made = valley(measured(name))
    assert made.best.loss <= made.leave_one_out.min().item() * (1 + 1e-9)


def test_where_the_average_is_best_the_floor_is_at_zero():
    data = generate("wave", 20, 2.0, 6)
    best = floor(data, "mean")
    n = len(data.y)
    assert best.w == 0
    assert best.loss == pytest.approx(data.y.var(correction=0).item() * (n / (n - 1)) ** 2)


def test_looking_at_itself_always_costs_less():
    made = valley(samples)
    assert (made.with_itself < made.leave_one_out).all()
    assert made.with_itself.argmin() == len(made.w) - 1


def test_w_of_ones_own_may_be_zero_and_the_curve_follows_them():
    w = torch.tensor([0.0, 0.5, 4.0], dtype=torch.float64)
    made = valley(samples, w=w)
    assert torch.equal(made.w, w)
    assert made.leave_one_out[0].item() == pytest.approx(loss_at(samples, 0.0))
    assert made.with_itself[0].item() == pytest.approx(loss_at(samples, 0.0, False))


@pytest.mark.parametrize("n", [400, 1_500])
def test_the_curves_and_the_floor_of_many_points_are_exact(n):
    data = generate(n=n, seed=2)
    w = torch.tensor([0.0, 0.1, 2.0, 9.0, 80.0, 4e3], dtype=torch.float64)
    made = valley(data, w=w)
    for i, one in enumerate(w.tolist()):
        for found, keys in ((made.leave_one_out[i], True), (made.with_itself[i], False)):
            scores = -0.5 * ((data.x[:, None] - data.x) * one).square()
            scores = scores.fill_diagonal_(-torch.inf) if keys else scores
            plain = (scores.softmax(-1) @ data.y - data.y).square().sum()
            assert found.item() == pytest.approx(plain.item(), rel=1e-9, abs=1e-9)
    assert made.best.w == pytest.approx(1 / best_width(data), rel=1e-4)


def test_bad_input_is_said_in_a_sentence():
    with pytest.raises(InputError, match="loss must be one of sum, half, mean"):
        valley(samples, "median")
    with pytest.raises(InputError, match="3 to 1,000,000 rows"):
        floor(Samples(samples.x[:2], samples.y[:2]))
