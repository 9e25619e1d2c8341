"""Local-linear pooling against statsmodels, and against what it promises: straight lines are met exactly."""

import pytest
import torch
from statsmodels.nonparametric.kernel_regression import KernelReg

from attention_core.data import generate, measured, query_grid, truth
from attention_core.kernels import KERNELS
from attention_core.regression.local_linear import local_linear, local_lines
from attention_core.regression.prediction import predict

samples = generate()
queries = query_grid()


@pytest.mark.parametrize("width", [0.15, 0.318, 1.0, 4.0])
def test_it_is_statsmodels_local_linear_regression(width):
    reference = KernelReg(samples.y.numpy(), samples.x.numpy(), "c", reg_type="ll", bw=[width])
    expected = torch.from_numpy(reference.fit(queries.numpy())[0])
    assert torch.allclose(local_linear(queries, samples.x, samples.y, width).output, expected, rtol=1e-7)


@pytest.mark.parametrize("name", ["motorcycle", "engel", "faithful"])
def test_it_is_statsmodels_on_measured_data_too(name):
    data = measured(name)
    grid, width = query_grid(data), float(data.x.std())
    reference = KernelReg(data.y.numpy(), data.x.numpy(), "c", reg_type="ll", bw=[width])
    expected = torch.from_numpy(reference.fit(grid.numpy())[0])
    assert torch.allclose(local_linear(grid, data.x, data.y, width).output, expected, rtol=1e-7)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("width", [0.5, 2.0, 1e3])
def test_a_straight_line_is_met_exactly_even_beyond_the_edge(kernel, width):
    grid = torch.linspace(-0.3, 5.3, 57, dtype=torch.float64)
    output, weights = local_linear(grid, samples.x, 3 - 2 * samples.x, width, kernel)
    several = (weights != 0).sum(-1) > 1
    assert several.sum() > 50
    assert torch.allclose(output[several], (3 - 2 * grid)[several], atol=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
def test_weights_sum_to_one_and_reproduce_the_output(kernel):
    output, weights = local_linear(queries, samples.x, samples.y, 0.4, kernel)
    reached = ~output.isnan()
    assert torch.allclose(weights.sum(-1), reached.double(), atol=1e-10)
    assert torch.allclose((weights @ samples.y)[reached], output[reached], atol=1e-12)


def test_a_single_key_in_reach_gives_its_value_and_none_gives_nan():
    keys, values = torch.tensor([0.0, 1.0, 4.0]), torch.tensor([5.0, 6.0, 7.0])
    output, weights = local_linear(torch.tensor([0.1, 2.5, 4.2]), keys, values, 0.5, "epanechnikov")
    assert output[[0, 2]].tolist() == [5, 7]
    assert output[1].isnan()
    assert weights.sum(-1).tolist() == [1, 0, 1]


def test_a_narrow_gaussian_draws_the_line_through_the_two_nearest_keys():
    """The limit of width to 0, where the second key's weight is about 1e-200 and careless sums lose it."""
    keys, values = torch.tensor([0.0, 1.0, 5.0]), torch.tensor([0.0, 2.0, -9.0])
    output = local_linear(torch.tensor([0.3], dtype=torch.float64), keys, values, 0.0208).output
    assert output.item() == pytest.approx(0.6, abs=1e-9)


def test_it_mends_the_bias_at_the_edge():
    quiet = generate(n=2000, noise=0.0)
    edge, width = torch.zeros(1), 0.5
    true = truth("wave", edge).item()
    assert abs(predict(edge, quiet.x, quiet.y, width).item() - true) > 0.8
    assert abs(local_linear(edge, quiet.x, quiet.y, width).output.item() - true) < 0.3


@pytest.mark.parametrize("kernel", KERNELS)
def test_blocks_give_the_same_answer(kernel):
    big = generate(n=3000, seed=2)
    grid = torch.linspace(-1, 6, 200, dtype=torch.float64)
    whole = local_linear(grid, big.x, big.y, 0.2, kernel).output
    assert torch.allclose(local_lines(grid, big.x, big.y, 0.2, kernel), whole, atol=1e-12, equal_nan=True)
