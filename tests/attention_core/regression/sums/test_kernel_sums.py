"""Kernel sums against the plain softmax over all pairs, in float64: every kernel, every way, keys however they lie."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from attention_core.data import Samples
from attention_core.kernels import KERNELS
from attention_core.learning import gradient
from attention_core.learning.gradient import SquaredError, slope_at
from attention_core.pooling import kernel_pool
from attention_core.regression.local_linear import local_linear, tilt
from attention_core.regression.prediction import Predictions, predict
from attention_core.regression.selection import PointErrors
from attention_core.regression.sums import kernel_sums, pairs

TOLERANCE = 1e-10  # of the range of the values
LINE_TOLERANCE = 1e-7  # a line through keys that lie close together turns any last digit into more of them
CHECKED = 60
LAYOUTS = ("even", "uniform", "clustered", "log-normal", "repeated", "with a gap", "far from 0", "one far away", "tiny")
WAYS = ("cells", "tree", "as chosen")
shares = st.floats(math.log(1e-5), math.log(10)).map(math.exp)  # of the range of the keys, for a width


def drawn(layout: str, n: int, seed: int = 0) -> Samples:
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


def span(samples: Samples) -> float:
    """The range of the keys."""
    return max(float(samples.x[-1] - samples.x[0]), 1e-3)


def queries_for(x: Tensor) -> Tensor:
    """Queries between the keys, at keys, a little and far beyond both ends, in no order."""
    low, high, wide = float(x[0]), float(x[-1]), float(x[-1] - x[0])
    between = torch.linspace(low - 0.3 * wide, high + 0.3 * wide, 2 * CHECKED, dtype=torch.float64)
    far = torch.tensor([low - 5 * wide, high + 5 * wide], dtype=torch.float64)
    return torch.cat([far, x[:: max(1, len(x) // CHECKED)], between]).flip(0)


@contextmanager
def by(way: str) -> Iterator[None]:
    """Sum this way, even where another one would cost less."""
    with pytest.MonkeyPatch.context() as patch:
        if way != "as chosen":
            patch.setattr(kernel_sums, "FEW_KEYS", 0)
            patch.setattr(kernel_sums, "FEW_FOR_MANY", 0)
            patch.setattr(kernel_sums, "MANY_QUERIES", 0)
            patch.setattr(kernel_sums, "CROWD", {"cells": 0, "tree": math.inf}[way])
        yield


def near(found: Tensor, known: Tensor, values: Tensor, linear: bool = False) -> None:
    """Both have gaps at the same places, and agree to 1e-10 of the range of the values."""
    assert torch.equal(found.isnan(), known.isnan())
    error = (found - known).nan_to_num().abs().max()
    assert error <= (LINE_TOLERANCE if linear else TOLERANCE) * (values.max() - values.min())


def known_left_out(samples: Samples, places: Tensor, width: float, kernel: str, linear: bool) -> Tensor:
    """Leave-one-out predictions at these places, from all pairs; where none is in reach, the mean of the others."""
    x, y = samples
    scores = KERNELS[kernel]((x[places, None] - x) / width)
    scores[torch.arange(len(places)), places] = -math.inf
    output = tilt(scores, x[places], x, y).output if linear else scores.softmax(-1) @ y
    return output.where(output.isfinite(), (y.sum() - y[places]) / (len(y) - 1))


sets = given(
    layout=st.sampled_from(LAYOUTS),
    kernel=st.sampled_from(list(KERNELS)),
    way=st.sampled_from(WAYS),
    n=st.one_of(st.integers(3, 60), st.integers(61, 5_000)),
    share=shares,
    linear=st.booleans(),
    seed=st.integers(0, 99),
)


@sets
@settings(max_examples=150)
def test_predictions_equal_those_of_all_pairs(layout, kernel, way, n, share, linear, seed):
    samples = drawn(layout, n, seed)
    queries, width = queries_for(samples.x), share * span(samples)
    with by(way):
        found = Predictions(samples, kernel).outputs(queries, torch.tensor([width], dtype=torch.float64), linear)[0]
    pool = local_linear if linear else kernel_pool
    near(found, pool(queries, *samples, width, kernel).output, samples.y, linear)


@sets
@settings(max_examples=150)
def test_errors_of_points_equal_those_of_all_pairs(layout, kernel, way, n, share, linear, seed):
    samples = drawn(layout, n, seed)
    if samples.x[0] == samples.x[-1]:
        return
    width, at = share * span(samples), torch.arange(0, n, max(1, n // CHECKED))
    with by(way):
        errors = PointErrors(samples, kernel, linear).errors(torch.tensor([width], dtype=torch.float64))[:, 0, at]
    left_out, with_itself = samples.y[at] + errors
    near(left_out, known_left_out(samples, at, width, kernel, linear), samples.y, linear)
    pool = local_linear if linear else kernel_pool
    near(with_itself, pool(samples.x[at], *samples, width, kernel).output, samples.y, linear)


@given(
    layout=st.sampled_from(LAYOUTS),
    way=st.sampled_from(WAYS),
    n=st.integers(3, 600),
    share=shares,
    leave_one_out=st.booleans(),
)
@settings(max_examples=80)
def test_the_slope_of_the_loss_equals_that_of_all_pairs(layout, way, n, share, leave_one_out):
    samples = drawn(layout, n, n)
    if samples.x[0] == samples.x[-1]:
        return
    w = 1 / (share * span(samples))
    with by(way), pytest.MonkeyPatch.context() as patch:
        patch.setattr(gradient, "FEW", 0)
        found = SquaredError(samples, leave_one_out)(w)[1]
    # In units of the width, and relative to the largest that n errors could make of it.
    most = n * float(samples.y.max() - samples.y.min()) ** 2
    assert found * w == pytest.approx(slope_at(samples, w, leave_one_out) * w, abs=1e-9 * most, rel=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_order_of_keys_and_queries_changes_nothing(kernel):
    samples = drawn("clustered", 3_000)
    queries = queries_for(samples.x)
    generator = torch.Generator().manual_seed(1)
    keys, asked = (torch.randperm(len(each), generator=generator) for each in (samples.x, queries))
    width = torch.tensor([0.05], dtype=torch.float64)
    plain = Predictions(samples, kernel).outputs(queries, width)[0]
    mixed = Predictions(Samples(samples.x[keys], samples.y[keys]), kernel).outputs(queries[asked], width)[0]
    near(mixed, plain[asked], samples.y)


@pytest.mark.parametrize("kernel", KERNELS)
def test_many_widths_at_once_are_each_of_them_alone(kernel):
    samples = drawn("with a gap", 1_500)
    widths = torch.logspace(-4, 1.5, 9, dtype=torch.float64)
    errors = PointErrors(samples, kernel)
    together = errors.errors(widths)
    for place, width in enumerate(widths):
        near(errors.errors(width[None])[:, 0], together[:, place], samples.y)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("share", [1e-5, 0.01, 1.0])
def test_a_hundred_thousand_points_at_sampled_queries(layout, share):
    samples = drawn(layout, 100_000)
    queries, width = queries_for(samples.x), share * span(samples)
    found = predict(queries, *samples, width)
    near(found, kernel_pool(queries, *samples, width).output, samples.y)


def test_a_hundred_thousand_queries_and_points_left_out():
    samples = drawn("with a gap", 100_000)
    queries = torch.cat([queries_for(samples.x), samples.x])
    near(predict(queries, *samples, 0.01)[::1_001], kernel_pool(queries[::1_001], *samples, 0.01).output, samples.y)
    errors = PointErrors(samples).errors(torch.tensor([0.01], dtype=torch.float64))[0, 0]
    at = torch.arange(0, 100_000, 1_001)
    near((samples.y + errors)[at], known_left_out(samples, at, 0.01, "gaussian", linear=False), samples.y)


def used(monkeypatch: pytest.MonkeyPatch, samples: Samples, kernel: str, width: float, at_points: bool) -> set[str]:
    """Which ways are taken to sum."""
    seen = set()
    for name, method in (("pairs", "sums"), ("neighbours", "left_out"), ("cells", "sums"), ("tree", "sums")):
        way = {"pairs": kernel_sums.Pairs, "neighbours": kernel_sums.Neighbours}.get(name) or {
            "cells": kernel_sums.GaussianCells,
            "tree": kernel_sums.Tree,
        }[name]
        plain = getattr(way, method)

        def noted(self, *given, _name=name, _plain=plain):
            seen.add(_name)
            return _plain(self, *given)

        monkeypatch.setattr(way, method, noted)
    widths = torch.tensor([width], dtype=torch.float64)
    if at_points:
        PointErrors(samples, kernel)(widths)
    else:
        Predictions(samples, kernel).outputs(samples.x + 1e-4, widths)
    return seen


@pytest.mark.parametrize(
    ("kernel", "n", "width", "at_points", "ways"),
    [
        ("gaussian", 200, 0.3, True, {"pairs"}),
        ("tricube", 300, 0.3, True, {"pairs"}),
        ("gaussian", 3_000, 1e-3, True, {"neighbours"}),
        ("tricube", 3_000, 1e-3, True, {"neighbours"}),
        ("gaussian", 3_000, 0.3, True, {"cells"}),
        ("gaussian", 3_000, 0.3, False, {"cells"}),
        ("gaussian", 3_000, 1e-3, False, {"tree"}),
        ("tricube", 3_000, 0.3, True, {"tree"}),
        ("cauchy", 3_000, 1e-3, True, {"tree"}),
    ],
)
def test_the_way_that_costs_least_is_taken(monkeypatch, kernel, n, width, at_points, ways):
    assert used(monkeypatch, drawn("uniform", n), kernel, width, at_points) == ways


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n", [299, 300, 301, 999, 1_000, 1_001])
def test_at_the_borders_between_ways_nothing_jumps(kernel, n):
    samples, widths = drawn("uniform", n), torch.tensor([1e-3, 0.1, 1.0], dtype=torch.float64)
    found = PointErrors(samples, kernel).errors(widths)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_sums, "FEW_KEYS", 5_000)
        patch.setattr(kernel_sums, "FEW_FOR_MANY", 5_000)
        near(found, PointErrors(samples, kernel).errors(widths), samples.y)


def test_a_kernel_that_stands_in_no_list_is_summed_within_its_reach():
    known = KERNELS["epanechnikov"]
    samples, widths = drawn("uniform", 2_000), torch.tensor([0.01, 0.5], dtype=torch.float64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(KERNELS, "own", known.__class__("Own", "", 1.0, lambda u: known(u)))
        found = Predictions(samples, "own").outputs(queries_for(samples.x), widths)
    plain = Predictions(samples, "epanechnikov").outputs(queries_for(samples.x), widths)
    near(found, plain, samples.y)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_point_weighs_one_in_its_own_average(kernel):
    assert KERNELS[kernel](torch.zeros(1, dtype=torch.float64)).item() == 0.0


def test_blocks_of_pairs_change_nothing(monkeypatch):
    samples, widths = drawn("uniform", 90), torch.tensor([0.1, 1.0], dtype=torch.float64)
    plain = PointErrors(samples, linear=True).errors(widths)
    monkeypatch.setattr(pairs, "BLOCK", 1)
    torch.testing.assert_close(PointErrors(samples, linear=True).errors(widths), plain)
