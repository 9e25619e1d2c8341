"""Bias and variance over redrawn data, against numpy and against what theory says."""

import math

import numpy as np
import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import generate, query_grid, truth
from attention_core.regression.bias_variance import bias_variance
from attention_core.regression.estimator import Estimator
from attention_core.regression.redraw import Recipe, redraws

queries = query_grid()
widths = torch.tensor([2.0, 0.5, 0.3, 0.05], dtype=torch.float64)
recipe = Recipe("wave", 50, 0.5, seed=7)


def drawn(estimator, count):
    return np.stack([estimator.predict(queries, samples).numpy() for samples in redraws(recipe, count)])


@pytest.mark.parametrize("linear", [False, True])
def test_the_curves_are_numpys(linear):
    found = bias_variance(recipe, widths, queries, linear=linear)
    for frame, width in enumerate(widths.tolist()):
        predictions = drawn(Estimator(width, linear=linear), 100)
        assert found.mean[frame].tolist() == pytest.approx(predictions.mean(0))
        assert found.low[frame].tolist() == pytest.approx(np.quantile(predictions, 0.1, axis=0))
        assert found.high[frame].tolist() == pytest.approx(np.quantile(predictions, 0.9, axis=0))
        assert found.variance[frame].tolist() == pytest.approx(predictions.var(0))


def test_squared_bias_and_variance_make_the_mean_squared_error():
    found = bias_variance(recipe, widths[1:2], queries, count=30)
    errors = (drawn(Estimator(0.5), 30) - truth("wave", queries).numpy()) ** 2
    assert (found.squared_bias + found.variance)[0].tolist() == pytest.approx(errors.mean(0))
    assert (found.total_squared_bias + found.total_variance).item() == pytest.approx(errors.mean())


def test_wide_is_biased_and_narrow_varies():
    found = bias_variance(recipe, widths, queries)
    assert found.total_squared_bias[-1] < 0.1 * found.total_squared_bias[0]
    assert found.total_variance[-1] > 5 * found.total_variance[0]


def test_the_variance_of_a_mean_is_that_of_the_values_over_n():
    line = Recipe("line", 40, noise=1.0, seed=1)
    found = bias_variance(line, widths[:1], queries, "constant", count=2000)
    assert found.variance[0].tolist() == pytest.approx([(1 + 0.25 * 25 / 12) / 40] * 50, rel=0.12)


def test_the_same_seed_gives_the_same_draws_and_another_seed_others():
    first, second = ([samples.x.tolist() for samples in redraws(recipe, 5)] for _ in range(2))
    assert first == second
    assert len({tuple(x) for x in first}) == 5
    other = next(redraws(Recipe("wave", 50, 0.5, seed=8), 1))
    assert other.x.tolist() not in first
    assert generate(seed=7).x.tolist() not in first


def test_queries_without_a_key_are_left_out_draw_by_draw():
    few = Recipe("wave", 3, 0.5, seed=0)
    far = torch.tensor([-9.0, 2.5])
    found = bias_variance(few, torch.tensor([0.8], dtype=torch.float64), far, "boxcar")
    predictions = np.array([Estimator(0.8, "boxcar").predict(far, s).numpy() for s in redraws(few, 100)])[:, 1]
    assert 0 < np.isnan(predictions).sum() < 100
    assert math.isnan(found.mean[0, 0])
    assert math.isnan(found.low[0, 0])
    assert found.mean[0, 1].item() == pytest.approx(np.nanmean(predictions))
    assert found.high[0, 1].item() == pytest.approx(np.nanquantile(predictions, 0.9))
    assert found.total_variance.item() == pytest.approx(np.nanvar(predictions))


def test_measured_data_cannot_be_redrawn():
    with pytest.raises(InputError, match="its true curve is unknown"):
        bias_variance(Recipe("faithful"), widths, queries)
