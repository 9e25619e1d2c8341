"""The learned w: d2l's run to the digit, the closed-form gradient against autograd, and runs that go wrong."""

import math

import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import Samples, generate, measured, query_grid, truth
from attention_core.learning.gradient import SquaredError, largest_w
from attention_core.learning.model import NWKernelRegression
from attention_core.learning.training import LOSSES, TrainingConfig, train
from attention_core.pooling import kernel_pool
from attention_core.regression.prediction import predict
from attention_core.regression.selection import best_width, loo_losses
from tests.attention_core.learning.left_out import others

samples = generate()
D2L = TrainingConfig(epochs=5, learning_rate=0.5, w0=0.375558)


def autograd_run(data, config, epochs):
    """The chapter's loop: the module, (n, n - 1) keys, torch.optim, backward."""
    keys, values = others(data) if config.leave_one_out else (data.x, data.y)
    net = NWKernelRegression(config.w0)
    make = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[config.optimizer]
    optimizer = make(net.parameters(), lr=config.learning_rate)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = LOSSES[config.loss](len(data.x)) * ((net(data.x, keys, values).output - data.y) ** 2).sum()
        loss.backward()
        gradient = net.w.grad.item()
        optimizer.step()
        yield loss.item(), gradient, net.w.item()


def test_d2ls_run_is_reproduced_digit_by_digit():
    steps = list(train(samples, D2L))
    assert [s.epoch for s in steps] == [1, 2, 3, 4, 5]
    assert [s.loss for s in steps] == pytest.approx([61.9502, 20.3592, 20.2998, 20.2396, 20.1784], abs=1e-3)
    assert [s.w for s in steps] == pytest.approx([9.7814, 9.6093, 9.4361, 9.2616, 9.0857], abs=1e-3)


def test_after_50_epochs_it_sits_at_the_leave_one_out_optimum():
    *_, last = train(samples, TrainingConfig(50, 0.5, 0.375558))
    grid = query_grid()
    assert last.w == pytest.approx(3.964252, abs=1e-3)
    assert last.w == pytest.approx(1 / best_width(samples), rel=1e-3)
    for w, error in ((last.w, 0.0492), (1.0, 0.4276)):
        prediction = predict(grid, samples.x, samples.y, 1 / w)
        assert (prediction - truth("wave", grid)).square().mean().item() == pytest.approx(error, abs=1e-4)


def test_the_model_is_kernel_pooling_of_width_one_over_w():
    queries = query_grid()
    output, weights = NWKernelRegression(2.5)(queries, samples.x, samples.y)
    expected = kernel_pool(queries, samples.x, samples.y, 1 / 2.5)
    assert torch.allclose(output, expected.output, atol=1e-13)
    assert torch.allclose(weights, expected.weights, atol=1e-14)


def test_others_leaves_out_just_oneself():
    keys, values = others(Samples(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([10.0, 20.0, 30.0])))
    assert keys.tolist() == [[2, 3], [1, 3], [1, 2]]
    assert values.tolist() == [[20, 30], [10, 30], [10, 20]]


@pytest.mark.parametrize("leave_one_out", [True, False])
@pytest.mark.parametrize("w", [-2.0, 0.0, 0.3, 1.0, 4.0, 30.0])
@pytest.mark.parametrize("data", [samples, generate("doppler", 300, seed=3), measured("faithful")])
def test_the_closed_form_gradient_is_autograds(data, w, leave_one_out):
    keys, values = others(data) if leave_one_out else (data.x, data.y)
    net = NWKernelRegression(w)
    expected = ((net(data.x, keys, values).output - data.y) ** 2).sum()
    expected.backward()
    loss, gradient = SquaredError(data, leave_one_out)(w)
    scale = max(1.0, expected.item())
    assert loss == pytest.approx(expected.item(), rel=1e-9)
    assert gradient == pytest.approx(net.w.grad.item(), rel=1e-9, abs=1e-9 * scale)


def test_the_loss_is_the_leave_one_out_loss():
    assert SquaredError(samples)(4.0)[0] == pytest.approx(50 * loo_losses(samples, [0.25]).item(), rel=1e-12)


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("leave_one_out", [True, False])
def test_every_setting_equals_torchs_own_loop(optimizer, loss, leave_one_out):
    config = TrainingConfig(20, 0.05, 0.8, leave_one_out, loss, optimizer)
    ours = [(s.loss, s.gradient, s.w) for s in train(samples, config)]
    theirs = list(autograd_run(samples, config, 20))
    assert len(ours) == 20
    for mine, reference in zip(ours, theirs, strict=True):
        assert mine == pytest.approx(reference, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("seed", range(25))
def test_the_defaults_come_close_to_the_best_on_every_seed(seed):
    data = generate(seed=seed)
    *_, last = train(data)
    assert not last.diverged
    best = loo_losses(data, [best_width(data)]).item()
    assert loo_losses(data, [1 / last.w]).item() <= 1.1 * best


def test_without_leave_one_out_w_runs_away_from_the_best():
    *_, last = train(samples, TrainingConfig(500, leave_one_out=False))
    assert last.w > 3 / best_width(samples)
    assert last.loss < 0.5 * SquaredError(samples)(last.w)[0]


@pytest.mark.parametrize("rate", [100.0, 1e6, 1e200, 1e300])
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_diverging_rate_ends_with_a_flag_and_no_nan(rate, optimizer):
    rate = rate * 100 if optimizer == "adam" else rate
    steps = list(train(samples, TrainingConfig(50, min(rate, 1e300), optimizer=optimizer)))
    assert steps[-1].diverged
    assert len(steps) < 50
    assert not any(s.diverged for s in steps[:-1])
    assert all(math.isfinite(number) for s in steps for number in (s.loss, s.w, s.gradient))
    predict(query_grid(), samples.x, samples.y, 1 / abs(steps[-1].w))  # the last w can still be drawn


def test_an_overshooting_rate_is_not_called_diverged():
    assert not any(s.diverged for s in train(samples, D2L))
    assert largest_w(samples) > 900


def test_w_zero_stays_at_zero_without_nan():
    assert [(s.w, s.gradient) for s in train(samples, TrainingConfig(3, w0=0.0))] == [(0, 0)] * 3


def test_too_few_points_are_an_error_at_once():
    with pytest.raises(InputError, match="3 to 1,000,000 rows"):
        train(Samples(samples.x[:2], samples.y[:2]))


def test_a_run_can_be_stopped_between_epochs():
    steps = train(samples, TrainingConfig(100_000))
    assert next(steps).epoch == 1
    steps.close()
