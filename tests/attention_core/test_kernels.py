"""One contract that every kernel must pass; a new entry of the registry is covered the moment it is added."""

import math

import pytest
import torch

from attention_core.data import generate
from attention_core.kernels import KERNELS
from attention_core.pooling import kernel_pool

# The textbook densities, written out here a second time and normalised, to compare ratios with.
DENSITIES = {
    "gaussian": lambda u: torch.exp(-u * u / 2) / math.sqrt(2 * math.pi),
    "boxcar": lambda u: 0.5 * (u.abs() < 1),
    "triangular": lambda u: (1 - u.abs()).clamp(min=0),
    "epanechnikov": lambda u: 0.75 * (1 - u**2).clamp(min=0),
    "tricube": lambda u: 70 / 81 * (1 - u.abs() ** 3).clamp(min=0) ** 3,
    "laplace": lambda u: torch.exp(-u.abs()) / 2,
    "cauchy": lambda u: 1 / (math.pi * (1 + u * u)),
    "constant": torch.ones_like,
}
samples = generate()
queries = torch.linspace(-1, 6, 43, dtype=torch.float64)
every_kernel = pytest.mark.parametrize("name", KERNELS)
every_width = pytest.mark.parametrize("width", [0.05, 0.3, 1.0, 20.0])


@every_kernel
def test_the_density_is_a_density(name):
    """The reference itself: the textbook constants integrate to 1, so a typo there cannot hide."""
    if name != "constant":
        u = torch.linspace(-4000, 4000, 8_000_001, dtype=torch.float64)
        assert torch.trapezoid(DENSITIES[name](u).double(), u).item() == pytest.approx(1, abs=1e-3)


@every_kernel
def test_shape_and_symmetry(name):
    u = torch.linspace(-3, 3, 35, dtype=torch.float64).view(5, 7)
    scores = KERNELS[name](u)
    assert scores.shape == u.shape
    assert scores.dtype == torch.float64
    assert torch.equal(scores, KERNELS[name](-u))
    assert not scores.isnan().any()


@every_kernel
def test_the_argument_is_left_alone(name):
    u = torch.linspace(-3, 3, 13, dtype=torch.float64)
    before = u.clone()
    KERNELS[name](u)
    assert torch.equal(u, before)


@every_kernel
def test_the_ratio_to_the_peak_is_the_textbook_one(name):
    u = torch.linspace(-4, 4, 1001, dtype=torch.float64)
    density = DENSITIES[name](u).double()
    expected = density / DENSITIES[name](torch.zeros(1, dtype=torch.float64)).double()
    assert torch.allclose(KERNELS[name](u).exp(), expected, rtol=1e-12, atol=1e-300)


@every_kernel
def test_support_says_where_weight_ends(name):
    support = KERNELS[name].support
    if math.isinf(support):
        assert KERNELS[name](torch.tensor([30.0], dtype=torch.float64)).isfinite().all()
    else:
        edge = torch.tensor([support * 0.999, support * 1.001], dtype=torch.float64)
        assert KERNELS[name](edge).isfinite().tolist() == [True, False]


@every_kernel
@every_width
def test_weights_are_a_distribution_wherever_a_key_is_in_reach(name, width):
    output, weights = kernel_pool(queries, samples.x, samples.y, width, name)
    in_reach = ((queries[:, None] - samples.x) / width).abs().amin(-1) < KERNELS[name].support
    assert weights.shape == (43, 50)
    assert (weights >= 0).all()
    assert torch.allclose(weights.sum(-1), in_reach.double(), atol=1e-12)
    assert torch.equal(output.isnan(), ~in_reach)


@every_kernel
@every_width
def test_weights_are_the_density_over_its_sum(name, width):
    density = DENSITIES[name]((queries[:, None] - samples.x) / width).double()
    total = density.sum(-1, keepdim=True)
    safe = total.squeeze(-1) > 1e-200  # where the plain quotient is finite at all
    weights = kernel_pool(queries, samples.x, samples.y, width, name).weights
    assert torch.allclose(weights[safe], (density / total)[safe], rtol=1e-10, atol=1e-14)


@every_kernel
@every_width
def test_the_order_of_the_keys_does_not_matter(name, width):
    order = torch.randperm(50, generator=torch.Generator().manual_seed(1))
    output, weights = kernel_pool(queries, samples.x, samples.y, width, name)
    shuffled = kernel_pool(queries, samples.x[order], samples.y[order], width, name)
    assert torch.allclose(shuffled.output, output, rtol=1e-12, equal_nan=True)
    assert torch.allclose(shuffled.weights, weights[:, order], rtol=1e-12)


@every_kernel
def test_every_kernel_has_a_label_and_a_formula(name):
    assert KERNELS[name].label
    assert KERNELS[name].formula
    assert name in DENSITIES
