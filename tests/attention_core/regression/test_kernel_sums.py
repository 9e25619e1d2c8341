"""Kernel sums against the plain softmax over all pairs, in float64."""

import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from attention_core.data import Samples
from attention_core.kernels import KERNELS
from attention_core.pooling import kernel_pool
from attention_core.regression.local_linear import local_linear, tilt
from attention_core.regression.prediction import averages, predict, predict_points, with_ones
from attention_core.regression.sums.compact import POLYNOMIALS, PolynomialSums
from attention_core.regression.sums.kernel_sums import SMOOTH, Sums, has_fast_sums, kernel_sums
from attention_core.regression.sums.windows import WindowSums

N, CHECKED = 2_000, 200
TOLERANCE = 1e-10  # of the range of the values
FAST = [name for name, kernel in KERNELS.items() if has_fast_sums(kernel)]
WIDTHS = (1e-5, 1e-3, 0.03, 0.3, 10.0)  # shares of the range of the keys


def drawn(layout: str, n: int = N, seed: int = 0) -> Samples:
    """Sorted keys in this layout, with values that vary along them and jump from one to the next."""
    generator = torch.Generator().manual_seed(seed)

    def uniform() -> Tensor:
        return torch.rand(n, generator=generator, dtype=torch.float64)

    def normal() -> Tensor:
        return torch.randn(n, generator=generator, dtype=torch.float64)

    spread = torch.tensor([0.002, 0.01, 0.05, 0.2, 1.0], dtype=torch.float64)
    which = torch.randint(5, (n,), generator=generator)
    unit = uniform() * 5
    x = {
        "even": torch.linspace(0, 5, n, dtype=torch.float64),
        "uniform": unit,
        "clustered": which + normal() * spread[which],
        "log-normal": (1.5 * normal()).exp(),
        "repeated": torch.randint(20, (n,), generator=generator).double(),
        "with a gap": torch.where((unit > 2) & (unit < 3.2), unit - 2, unit),
        "far from 0": 1e5 + unit,
        "one far away": torch.cat([unit[1:] / 50, torch.tensor([5.0], dtype=torch.float64)]),
        "tiny": uniform() * 1e-3,
    }[layout]
    x = x.sort().values
    return Samples(x, (3 * x).sin() + 0.5 * normal())


LAYOUTS = ("even", "uniform", "clustered", "log-normal", "repeated", "with a gap", "far from 0", "one far away", "tiny")


def queries_for(x: Tensor) -> Tensor:
    """Queries between the keys, at keys, and far beyond both ends."""
    span = float(x[-1] - x[0])
    between = torch.linspace(float(x[0]) - 0.3 * span, float(x[-1]) + 0.3 * span, N // 2, dtype=torch.float64)
    return torch.cat([between, x[::2]])


def by_what_is_known(samples: Samples, width: float, kernel: str, powers: Sequence[int] = (0,)) -> Sums:
    """The sums by what is known of the kernel, even where windows would cost less."""
    arguments, found = (samples.x, with_ones(samples.y), width), KERNELS[kernel]
    if found.log in POLYNOMIALS:
        return PolynomialSums(*arguments, found, powers)
    return SMOOTH[found.log](*arguments, powers)


def near(found: Tensor, known: Tensor, values: Tensor) -> None:
    """Both have gaps at the same places, and agree to 1e-10 of the range of the values."""
    assert torch.equal(found.isnan(), known.isnan())
    error = (found - known).nan_to_num().abs().max()
    assert error <= TOLERANCE * (values.max() - values.min())


def known_left_out(samples: Samples, places: Tensor, width: float, kernel: str, linear: bool) -> Tensor:
    """Leave-one-out predictions at these places, from all pairs."""
    x, y = samples
    scores = KERNELS[kernel]((x[places, None] - x) / width)
    scores[torch.arange(len(places)), places] = -math.inf
    if linear:
        return tilt(scores, x[places], x, y).output
    return scores.softmax(-1) @ y


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kernel", FAST)
def test_predictions_equal_those_of_all_pairs(kernel: str, layout: str):
    samples = drawn(layout)
    queries = queries_for(samples.x)
    at = torch.arange(0, len(queries), len(queries) // CHECKED)
    for share in WIDTHS:
        width = share * float(samples.x[-1] - samples.x[0])
        near(
            predict(queries, *samples, width, kernel)[at],
            kernel_pool(queries[at], *samples, width, kernel).output,
            samples.y,
        )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kernel", FAST)
def test_leave_one_out_predictions_equal_those_of_all_pairs(kernel: str, layout: str):
    samples = drawn(layout)
    at = torch.arange(0, N, N // CHECKED)
    for share in WIDTHS:
        width = share * float(samples.x[-1] - samples.x[0])
        found = predict_points(samples, width, KERNELS[kernel], linear=False, leave_out=True)[at]
        near(found, known_left_out(samples, at, width, kernel, linear=False), samples.y)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kernel", FAST)
def test_few_keys_and_every_width_by_what_is_known_of_the_kernel(kernel: str, layout: str):
    for n in (3, 7, 40):
        samples = drawn(layout, n, seed=n)
        queries, every = queries_for(samples.x)[::10].clone(), torch.arange(n)
        for share in (1e-4, *WIDTHS[1:]):
            width = share * max(float(samples.x[-1] - samples.x[0]), 1e-3)
            sums = by_what_is_known(samples, width, kernel)
            near(averages(sums.at(queries)), kernel_pool(queries, *samples, width, kernel).output, samples.y)
            near(averages(sums.left_out()), known_left_out(samples, every, width, kernel, linear=False), samples.y)


@pytest.mark.parametrize("kernel", FAST)
def test_lines_equal_those_of_all_pairs(kernel: str):
    for layout in ("uniform", "clustered", "with a gap", "far from 0"):
        samples = drawn(layout)
        queries = samples.x[::10] + 1e-3
        for share in (0.003, 0.03, 0.3, 10.0):
            width = share * float(samples.x[-1] - samples.x[0])
            found = predict(samples.x + 1e-3, *samples, width, kernel, linear=True)[::10]
            # A line through keys that lie close together turns any last digit into more of them.
            known = local_linear(queries, *samples, width, kernel).output
            assert torch.equal(found.isnan(), known.isnan())
            assert torch.allclose(found, known, rtol=1e-7, atol=1e-7, equal_nan=True)


@pytest.mark.parametrize("kernel", FAST)
def test_left_out_lines_equal_those_of_all_pairs(kernel: str):
    samples = drawn("clustered")
    at = torch.arange(0, N, 10)
    for share in (0.003, 0.03, 0.3):
        width = share * float(samples.x[-1] - samples.x[0])
        found = predict_points(samples, width, KERNELS[kernel], linear=True, leave_out=True)[at]
        known = known_left_out(samples, at, width, kernel, linear=True)
        assert torch.allclose(found, known, rtol=1e-6, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("kernel", FAST)
def test_powers_of_the_distance(kernel: str):
    samples, width = drawn("uniform", 500), 0.2
    queries = queries_for(samples.x)[::5].clone()
    exact = WindowSums(samples.x, with_ones(samples.y), width, KERNELS[kernel], (0, 1, 2))
    found, known = by_what_is_known(samples, width, kernel, (0, 1, 2)).at(queries), exact.at(queries)
    reached = known[:, 0, 0] > 0
    ratios = [each[reached] / each[reached, :1, :1] for each in (found, known)]
    assert torch.allclose(*ratios, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kernel", FAST)
def test_the_order_of_keys_and_queries_changes_nothing(kernel: str):
    samples = drawn("clustered")
    queries = queries_for(samples.x)
    generator = torch.Generator().manual_seed(1)
    keys, asked = torch.randperm(N, generator=generator), torch.randperm(len(queries), generator=generator)
    plain = predict(queries, *samples, 0.05, kernel)
    mixed = predict(queries[asked], samples.x[keys], samples.y[keys], 0.05, kernel)
    near(mixed, plain[asked], samples.y)


def test_windows_serve_narrow_kernels_and_cells_wide_ones():
    samples = drawn("uniform")
    chosen = [
        kernel_sums(WindowSums(samples.x, with_ones(samples.y), width, KERNELS["gaussian"]), samples.x)
        for width in (1e-3, 1.0)
    ]
    assert isinstance(chosen[0], WindowSums)
    assert not isinstance(chosen[1], WindowSums)


def test_a_hundred_thousand_points_at_sampled_queries():
    samples = drawn("with a gap", 100_000)
    queries = queries_for(samples.x)
    at = torch.arange(0, len(queries), 500)
    found = predict(torch.cat([queries, samples.x]), *samples, 0.01)[: len(queries)][at]
    near(found, kernel_pool(queries[at], *samples, 0.01).output, samples.y)


@pytest.mark.parametrize("name", [name for name, kernel in KERNELS.items() if kernel.log in POLYNOMIALS])
def test_polynomials_are_the_kernels(name: str):
    u = torch.linspace(0, 0.999, 100, dtype=torch.float64)
    polynomial = sum(c * u**j for j, c in enumerate(POLYNOMIALS[KERNELS[name].log]))
    assert torch.allclose(KERNELS[name](u).exp(), torch.as_tensor(polynomial), rtol=1e-12, atol=1e-15)
