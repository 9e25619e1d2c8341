"""One object for the ways to predict: the same numbers as the functions behind it."""

import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import generate, query_grid
from attention_core.pooling import kernel_pool
from attention_core.regression.estimator import AVERAGE, Estimator
from attention_core.regression.local_linear import local_linear

samples, queries = generate(), query_grid()


@pytest.mark.parametrize(("linear", "pool"), [(False, kernel_pool), (True, local_linear)])
def test_it_pools_and_predicts_by_the_function_of_its_kind(linear, pool):
    estimator = Estimator(0.2, "epanechnikov", linear)
    expected = pool(queries, samples.x, samples.y, 0.2, "epanechnikov")
    assert torch.equal(estimator.pool(queries, samples).weights, expected.weights)
    torch.testing.assert_close(estimator.predict(queries, samples), expected.output, equal_nan=True)


def test_a_local_line_is_fitted_with_the_kernels_own_weights():
    linear, constant = Estimator(0.2, linear=True), Estimator(0.2)
    assert (linear.pool(queries, samples).weights < 0).any()
    assert torch.equal(linear.attention(queries, samples), constant.pool(queries, samples).weights)


def test_average_pooling_is_the_mean_everywhere():
    assert AVERAGE.predict(queries, samples).tolist() == pytest.approx([samples.y.mean().item()] * 50)


@pytest.mark.parametrize("wrong", [{"width": 0.0}, {"width": float("nan")}, {"kernel": "round"}])
def test_it_cannot_be_made_wrong(wrong):
    with pytest.raises(InputError):
        Estimator(**wrong)
