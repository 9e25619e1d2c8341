"""Errors and sharpness, against scipy, statsmodels and torch's own entropy."""

import math

import numpy as np
import pytest
import torch
from scipy.stats import entropy
from statsmodels.nonparametric.kernel_regression import KernelReg

from attention_core.data import generate, measured, query_grid, truth
from attention_core.regression.estimator import Estimator
from attention_core.regression.quality import accuracy, compare, sharpness

samples, queries = generate(), query_grid()
curve = truth("wave", queries)


def test_the_reference_test_errors_are_the_published_ones():
    average, reference, current = compare(
        samples, queries, curve, {"Width 1": Estimator(), "Learned": Estimator(1 / 3.964252)}
    )
    assert [row.name for row in (average, reference, current)] == ["Average pooling", "Width 1", "Learned"]
    assert average.test_error == pytest.approx((samples.y.mean() - curve).square().mean().item())
    assert reference.test_error == pytest.approx(0.4276, abs=1e-4)
    assert current.test_error == pytest.approx(0.0492, abs=1e-4)


def test_leave_one_out_of_average_pooling_is_the_known_multiple_of_the_variance():
    n = len(samples.y)
    row = compare(samples, queries, curve, {})[0]
    assert row.loo_error == pytest.approx(samples.y.var(correction=0).item() * (n / (n - 1)) ** 2)


@pytest.mark.parametrize(("linear", "kind"), [(False, "lc"), (True, "ll")])
def test_leave_one_out_of_the_current_estimator_is_statsmodels(linear, kind):
    reference = KernelReg(samples.y.numpy(), samples.x.numpy(), "c", reg_type=kind, bw=[0.3])
    expected = reference.cv_loo(np.array([0.3]), reference.est[kind]).item()
    row = compare(samples, queries, curve, {"current": Estimator(0.3, linear=linear)})[1]
    assert row.loo_error == pytest.approx(expected)


@pytest.mark.parametrize(("linear", "kind"), [(False, "lc"), (True, "ll")])
def test_the_training_error_of_the_current_estimator_is_statsmodels(linear, kind):
    fitted, _ = KernelReg(samples.y.numpy(), samples.x.numpy(), "c", reg_type=kind, bw=[0.3]).fit()
    row = compare(samples, queries, curve, {"current": Estimator(0.3, linear=linear)})[1]
    assert row.training_error == pytest.approx(np.square(fitted - samples.y.numpy()).mean())


def test_measured_data_have_no_test_error():
    data = measured("motorcycle")
    rows = compare(data, query_grid(data), None, {"current": Estimator(2.0)})
    assert [row.test_error for row in rows] == [None] * 2
    assert all(math.isfinite(row.loo_error) for row in rows)


def test_undefined_predictions_are_counted_and_left_out():
    prediction = torch.tensor([1.0, math.nan, 4.0, math.nan]).double()
    assert accuracy(prediction, torch.tensor([0.0, 0.0, 2.0, 9.0]).double()) == (2.5, 2)
    error, undefined = accuracy(prediction[[1, 3]], prediction[[0, 2]])
    assert math.isnan(error)
    assert undefined == 2
    row = compare(samples, torch.tensor([-9.0, 1.0, 2.0]), torch.zeros(3), {"boxcar": Estimator(0.5, "boxcar")})[1]
    assert row.undefined == 1
    assert math.isfinite(row.test_error)


@pytest.mark.parametrize("kernel", ["gaussian", "cauchy", "tricube", "constant"])
def test_the_entropy_is_scipys_and_torchs(kernel):
    weights = Estimator(0.5, kernel).attention(queries, samples)
    assert sharpness(weights).entropy == pytest.approx(entropy(weights.numpy(), axis=-1).mean())
    assert sharpness(weights).entropy == pytest.approx(torch.distributions.Categorical(weights).entropy().mean().item())


def test_equal_weights_on_k_keys_count_as_k_neighbours():
    weights = torch.zeros(3, 8, dtype=torch.float64)
    weights[:, :5] = 0.2
    assert sharpness(weights).neighbours == pytest.approx(5)
    assert sharpness(Estimator(kernel="constant").attention(queries, samples)).neighbours == pytest.approx(50)


def test_queries_that_reach_no_key_are_counted_and_left_out():
    weights = torch.tensor([[0.5, 0.5], [0.0, 0.0], [1.0, 0.0]], dtype=torch.float64)
    mean, neighbours, unreached = sharpness(weights)
    assert mean == pytest.approx(math.log(2) / 2)
    assert neighbours == pytest.approx(math.sqrt(2))
    assert unreached == 1
    assert math.isnan(sharpness(torch.zeros(2, 3)).entropy)


def test_narrower_is_sharper():
    counts = [sharpness(Estimator(width).attention(queries, samples)).neighbours for width in (0.05, 0.2, 1.0, 9.0)]
    assert counts == sorted(counts)
    assert 1 <= counts[0] < 4
    assert 49 < counts[-1] <= 50
