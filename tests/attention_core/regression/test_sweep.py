"""Every width at once equals what quality says of each width alone."""

import math

import pytest
import torch

from attention_core.data import FUNCTIONS, MEASURED, generate, measured, query_grid, truth
from attention_core.kernels import KERNELS
from attention_core.regression.estimator import Estimator
from attention_core.regression.quality import accuracy, loo_error, sharpness
from attention_core.regression.selection import best_width, loo_losses, training_losses
from attention_core.regression.sums import pairs
from attention_core.regression.sweep import sweep

queries = query_grid()
curve = truth("wave", queries)
widths = torch.tensor([0.02, 0.05, 0.2, 1.0, 7.0], dtype=torch.float64)


def training_error(samples, estimator):
    """The mean squared error of one estimator at its own points, by the plain softmax."""
    return (estimator.pool(samples.x, samples).output - samples.y).square().mean().item()


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("kernel", ["gaussian", "boxcar", "tricube", "cauchy", "constant"])
@pytest.mark.parametrize("block", [1, 2**17])
def test_each_width_equals_quality(monkeypatch, kernel, linear, block):
    monkeypatch.setattr(pairs, "BLOCK", block)
    samples = generate(n=60, seed=1)
    made = sweep(samples, queries, curve, widths, kernel, linear)
    for i, width in enumerate(widths.tolist()):
        estimator = Estimator(width, kernel, linear)
        error, undefined = accuracy(estimator.pool(queries, samples).output, curve)
        assert made.test_error[i].item() == pytest.approx(error, rel=1e-9)
        assert made.undefined[i].item() == undefined
        assert made.loo_error[i].item() == pytest.approx(loo_error(samples, estimator), rel=1e-9)
        assert made.training_error[i].item() == pytest.approx(training_error(samples, estimator), rel=1e-9)
        neighbours = sharpness(estimator.attention(queries, samples)).neighbours
        assert made.neighbours[i].item() == pytest.approx(neighbours, rel=1e-9)


def test_measured_data_have_no_test_error():
    data = measured("motorcycle")
    made = sweep(data, query_grid(data), None, widths)
    assert made.test_error is None
    assert made.neighbours.shape == made.loo_error.shape == made.undefined.shape == (5,)


@pytest.mark.parametrize("data", [generate(name, 50, 0.5, 3) for name in FUNCTIONS] + list(map(measured, MEASURED)))
@pytest.mark.parametrize("kernel", [name for name in KERNELS if name != "constant"])
def test_the_training_error_is_the_one_that_does_not_notice_too_narrow_a_width(data, kernel):
    """The lab asks which error does not notice: from the best width on it falls, where leave-one-out rises."""
    best, span = best_width(data, kernel), (data.x.max() - data.x.min()).item()
    made = sweep(data, query_grid(data), None, torch.tensor([best / 3, min(best, span / 500)]), kernel)
    at_best = training_error(data, Estimator(best, kernel)), loo_error(data, Estimator(best, kernel))
    assert made.training_error.max() < at_best[0]
    assert made.loo_error.min() > at_best[1]


def test_where_no_query_reaches_a_key_there_is_no_number():
    made = sweep(generate(), torch.tensor([-50.0, 90.0]), torch.zeros(2).double(), widths[:2], "boxcar")
    assert made.undefined.tolist() == [2, 2]
    assert all(math.isnan(number) for number in (*made.test_error.tolist(), *made.neighbours.tolist()))
    assert made.loo_error.isfinite().all()


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_many_points_have_the_errors_and_the_sharpness_of_all_pairs(kernel, linear):
    """More points than are summed pair by pair; the other side is the plain softmax."""
    samples = generate(n=1_200, seed=2)
    made = sweep(samples, queries, curve, widths, kernel, linear)
    for i, width in enumerate(widths.tolist()):
        estimator = Estimator(width, kernel, linear)
        error, undefined = accuracy(estimator.pool(queries, samples).output, curve)
        assert (made.test_error[i].item(), made.undefined[i].item()) == (pytest.approx(error, rel=1e-9), undefined)
        neighbours = sharpness(estimator.attention(queries, samples)).neighbours
        assert made.neighbours[i].item() == pytest.approx(neighbours, rel=1e-9)
        assert made.training_error[i].item() == pytest.approx(training_error(samples, estimator), rel=1e-9)
    assert torch.equal(made.loo_error, loo_losses(samples, widths, kernel, linear))
    assert torch.equal(made.training_error, training_losses(samples, widths, kernel, linear))
