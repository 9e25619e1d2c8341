"""Measured data on d2l's scale: the same attention, a usable learning rate, and the way back."""

import pytest
import torch

from attention_core.data import Samples, generate, measured
from attention_core.learning.stretch import MOST_TRAINED, as_they_are, stretched
from attention_core.learning.training import TrainingConfig, train
from attention_core.learning.valley import floor, loss_at
from attention_core.regression.prediction import predict
from attention_core.regression.selection import best_width, loo_losses


def y_scale(data, y):
    """Own units of y to 1 on d2l's scale."""
    return data.y.std() / y.std()


@pytest.mark.parametrize("name", ["motorcycle", "engel", "faithful"])
def test_it_lies_on_d2ls_scale_and_has_the_same_shape(name):
    data = measured(name)
    made = stretched(data)
    x, y = made.samples
    assert (x[0].item(), x[-1].item()) == pytest.approx((0.0, 5.0), abs=1e-12)
    d2l = generate().y
    assert (y - y.mean()).square().sum().item() == pytest.approx((d2l - d2l.mean()).square().sum().item(), rel=0.02)
    torch.testing.assert_close(data.x[0] + made.x_scale * x, data.x)
    torch.testing.assert_close(data.y.mean() + y_scale(data, y) * y, data.y)


@pytest.mark.parametrize("name", ["motorcycle", "engel", "faithful"])
def test_the_defaults_train_well_there(name):
    data = measured(name)
    made = stretched(data)
    *_, last = train(made.samples)
    width = made.x_scale / last.w
    assert not last.diverged
    assert loo_losses(data, [width]).item() <= 1.1 * loo_losses(data, [best_width(data)]).item()


def test_the_defaults_train_as_well_on_a_thousand_points():
    made = stretched(generate(n=1000, seed=1))
    *_, last = train(made.samples, TrainingConfig(20))
    assert loss_at(made.samples, last.w) <= 1.1 * floor(made.samples).loss


def test_w_and_loss_in_own_units_mean_the_same():
    data = measured("engel")
    made = stretched(data)
    best = floor(made.samples, "mean")
    width = made.x_scale / best.w
    assert best.loss * y_scale(data, made.samples.y).item() ** 2 == pytest.approx(loo_losses(data, [width]).item())
    curve = predict(torch.linspace(0, 5, 30).double(), *made.samples, 1 / best.w)
    queries = data.x[0] + made.x_scale * torch.linspace(0, 5, 30).double()
    torch.testing.assert_close(data.y.mean() + y_scale(data, made.samples.y) * curve, predict(queries, *data, width))


def test_too_many_points_are_thinned_evenly():
    x = torch.linspace(0, 100, 123_456, dtype=torch.float64)
    for make in (stretched, as_they_are):
        made = make(Samples(x, x.sin()))
        assert len(made.samples.x) == MOST_TRAINED
        gaps = made.samples.x.diff()
        assert gaps.max() < 2.01 * gaps.min()


def test_as_they_are_changes_nothing():
    data = generate()
    made = as_they_are(data)
    assert torch.equal(made.samples.x, data.x)
    assert torch.equal(made.samples.y, data.y)
    assert made.x_scale == 1.0


@pytest.mark.parametrize("level", [0.0, 0.1, 1e90])
def test_values_that_are_all_equal_stay_finite(level):
    made = stretched(Samples(torch.arange(5).double(), torch.full((5,), level, dtype=torch.float64)))
    assert made.samples.y.isfinite().all()
    torch.testing.assert_close(made.samples.y, torch.zeros(5, dtype=torch.float64), atol=1e-9 * (level or 1), rtol=0)
