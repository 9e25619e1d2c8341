"""Kernel sums against the plain softmax over all pairs, in float64: every kernel, every way, keys however they lie."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from attention_core.data import Samples
from attention_core.kernels import KERNELS
from attention_core.learning import residuals
from attention_core.learning.gradient import SquaredError, slope_at
from attention_core.pooling import kernel_pool
from attention_core.regression.frames import grouped_weights, key_groups, summed
from attention_core.regression.local_linear import local_linear, tilt
from attention_core.regression.prediction import FEW_PAIRS, Predictions, predict
from attention_core.regression.selection import PointErrors
from attention_core.regression.sums import kernel_sums, pairs
from attention_core.regression.sums.neighbours import SIDES
from attention_core.regression.sums.pairs import queries_at
from attention_core.regression.sums.shapes import lost

TOLERANCE = 1e-10  # of the range of the values
# A line, of the range and its own height together: far from its keys it rises to a million times the range, and there
# all pairs in float64 have no more digits either.
LINE_TOLERANCE = 1e-9
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
            patch.setattr(kernel_sums, "NODES", 0)
            patch.setattr(kernel_sums, "SETUP", -1)  # so that every pair costs more
            patch.setattr(kernel_sums, "CROWD", {"cells": 0, "tree": math.inf}[way])
        yield


def near(found: Tensor, known: Tensor, values: Tensor, linear: bool = False) -> None:
    """Both have gaps at the same places, and agree to 1e-10 of the range of the values."""
    assert torch.equal(found.isnan(), known.isnan())
    allowed = TOLERANCE * (values.max() - values.min())
    if linear:
        allowed = LINE_TOLERANCE * (values.max() - values.min() + (known - values.mean()).nan_to_num().abs())
    assert ((found - known).nan_to_num().abs() <= allowed).all()


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
@settings(max_examples=60)
def test_the_slope_of_the_loss_equals_that_of_all_pairs(layout, way, n, share, leave_one_out):
    samples = drawn(layout, n, n)
    if samples.x[0] == samples.x[-1]:
        return
    with by(way), pytest.MonkeyPatch.context() as patch:
        patch.setattr(residuals, "FEW", 0)
        slopes_agree(samples, 1 / (share * span(samples)), leave_one_out)


@pytest.mark.parametrize(("layout", "share"), [("even", 1e-3), ("clustered", 0.01), ("log-normal", 0.1), ("tiny", 1.0)])
def test_the_slope_at_many_points_too(layout, share):
    samples = drawn(layout, 5_000)
    slopes_agree(samples, 1 / (share * span(samples)), leave_one_out=True)


def slopes_agree(samples: Samples, w: float, leave_one_out: bool) -> None:
    """The slope by sums is that over all pairs."""
    found = SquaredError(samples, leave_one_out)(w)[1]
    # In units of the width, and relative to the largest that n errors could make of it.
    most = len(samples.x) * float(samples.y.max() - samples.y.min()) ** 2
    assert found * w == pytest.approx(slope_at(samples, w, leave_one_out) * w, abs=1e-10 * most, rel=1e-10)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_order_of_keys_and_queries_changes_nothing(kernel, layout):
    samples = drawn(layout, 1_500)
    queries = queries_for(samples.x).repeat(2)
    generator = torch.Generator().manual_seed(1)
    keys, asked = (torch.randperm(len(each), generator=generator) for each in (samples.x, queries))
    widths = span(samples) * torch.tensor([1e-4, 0.01, 1.0], dtype=torch.float64)
    shuffled = Samples(samples.x[keys], samples.y[keys])
    plain = Predictions(samples, kernel).outputs(queries, widths)
    near(Predictions(shuffled, kernel).outputs(queries[asked], widths), plain[:, asked], samples.y)
    errors = [PointErrors(each, kernel)(widths) for each in (samples, shuffled)]
    torch.testing.assert_close(*errors, rtol=1e-10, atol=0)


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
def test_a_hundred_thousand_points_at_as_many_queries(layout, share):
    samples = drawn(layout, 100_000)
    width, some = torch.tensor([share * span(samples)], dtype=torch.float64), queries_for(samples.x)[::3]
    every = torch.cat([some, samples.x])
    found, at = predict(every, *samples, width.item()), torch.arange(0, 100_000, 4_001)
    chosen = torch.cat([torch.arange(len(some)), len(some) + at])
    near(found[chosen], kernel_pool(every[chosen], *samples, width.item()).output, samples.y)
    left_out = samples.y[at] + PointErrors(samples).errors(width)[0, 0, at]
    near(left_out, known_left_out(samples, at, width.item(), "gaussian", linear=False), samples.y)


def test_keys_far_from_0_lose_no_digits():
    # Timestamps: seconds since 1970, all within one hour. Queries begin at the first one and lie before it.
    unit = drawn("uniform", 50_000)
    samples = Samples(1.7e9 + 720 * unit.x, unit.y)
    queries = samples.x[0] - 15 * torch.linspace(0, 8, 40, dtype=torch.float64)
    near(predict(queries, *samples, 15.0), kernel_pool(queries, *samples, 15.0).output, samples.y)
    looks = queries_at(queries, samples.x)
    shares = grouped_weights(samples.x, looks, torch.tensor([15.0], dtype=torch.float64))[0]
    known = summed(kernel_pool(queries, *samples, 15.0).weights, key_groups(50_000))
    torch.testing.assert_close(shares, known, rtol=0, atol=1e-12)


def exact_lines(queries: Tensor, samples: Samples, width: float) -> Tensor:
    """Local lines of a Gaussian over all pairs with more digits than float64 has."""
    x, y, at = (each.numpy().astype(np.longdouble) for each in (*samples, queries))
    found = []
    for query in at:
        apart = (query - x) / np.longdouble(width)
        weights = np.exp((np.square(np.abs(apart).min()) - np.square(apart)) / 2)
        weights /= weights.sum()
        mean = (weights * x).sum()
        slope = (weights * (x - mean) * y).sum() / (weights * np.square(x - mean)).sum()
        found.append((weights * y).sum() + slope * (query - mean))
    return torch.tensor(np.array(found, dtype=np.float64))


@pytest.mark.parametrize("layout", ["log-normal", "one far away", "clustered"])
@pytest.mark.parametrize("share", [0.3, 1.0, 5.0, 10.0])
def test_lines_keep_their_digits_where_the_width_is_wide(layout, share):
    samples = drawn(layout, 20_000)
    queries, width = samples.x[::40], share * span(samples)
    found = Predictions(samples).outputs(queries, torch.tensor([width], dtype=torch.float64), linear=True)[0]
    near(found[::20], exact_lines(queries[::20], samples, width), samples.y)


@pytest.mark.parametrize("width", [1e-50, 1e-20, 1e-15])
def test_widths_far_below_any_distance_leave_the_nearest_keys(width):
    samples, widths = drawn("repeated", 2_000), torch.tensor([width], dtype=torch.float64)
    at = torch.arange(0, 2_000, 50)
    near(predict(samples.x, *samples, width)[at], kernel_pool(samples.x[at], *samples, width).output, samples.y)
    left_out = samples.y[at] + PointErrors(samples).errors(widths)[0, 0, at]
    near(left_out, known_left_out(samples, at, width, "gaussian", linear=False), samples.y)


def used(monkeypatch: pytest.MonkeyPatch, samples: Samples, kernel: str, width: float, at: Tensor | None) -> set[str]:
    """Which ways are taken to sum at these queries, or at the points themselves."""
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
    if at is None:
        PointErrors(samples, kernel)(widths)
    else:
        Predictions(samples, kernel).outputs(at, widths)
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
    samples = drawn("uniform", n)
    assert used(monkeypatch, samples, kernel, width, None if at_points else samples.x + 1e-4) == ways


@pytest.mark.parametrize(
    ("kernel", "n", "queries", "ways"),
    [
        # Cells cost SETUP: 1,000 keys times 524 queries are a little less, 525 a little more.
        ("gaussian", 1_000, 524, {"pairs"}),
        ("gaussian", 1_000, 525, {"cells"}),
        # For each query the tree costs NODES: with 1,000 keys more than that, SETUP divided by 1,000 is 524.3.
        ("tricube", 2_000, 524, {"pairs"}),
        ("tricube", 2_000, 525, {"tree"}),
        ("gaussian", 6_242, 100, {"pairs"}),
        ("gaussian", 6_243, 100, {"tree"}),
    ],
)
def test_on_both_sides_of_a_border_the_answer_is_that_of_all_pairs(monkeypatch, kernel, n, queries, ways):
    samples, width = drawn("uniform", n), 0.3
    asked = torch.linspace(0, 5, queries, dtype=torch.float64)
    assert used(monkeypatch, samples, kernel, width, at=asked) == ways
    found = Predictions(samples, kernel).outputs(asked, torch.tensor([width], dtype=torch.float64))[0]
    near(found, kernel_pool(asked, *samples, width, kernel).output, samples.y)


@pytest.mark.parametrize("kernel", ["gaussian", "tricube"])
def test_from_few_neighbours_to_many_to_crowded_cells_nothing_jumps(monkeypatch, kernel):
    samples, at = drawn("even", 2_000), torch.arange(0, 2_000, 40)
    gap = float(samples.x[1])
    reach = {"gaussian": math.sqrt(2 * lost(2_000) + (1 / 3) ** 2), "tricube": 1.0}[kernel]
    borders = [gap * (side + 1) / reach for side in SIDES]
    if kernel == "gaussian":  # as many cells as are just crowded enough, by their length
        borders += [2.0**power for power in range(-9, -3)]
    ways = []
    for width in (border * factor for border in borders for factor in (0.999, 1.001)):
        with pytest.MonkeyPatch.context() as patch:
            ways.append(used(patch, samples, kernel, width, at=None))
        left_out = (
            samples.y[at] + PointErrors(samples, kernel).errors(torch.tensor([width], dtype=torch.float64))[0, 0, at]
        )
        near(left_out, known_left_out(samples, at, width, kernel, linear=False), samples.y)
    assert set().union(*ways) == {"neighbours", {"gaussian": "cells", "tricube": "tree"}[kernel]}


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("linear", [False, True])
def test_from_few_pairs_to_sums_nothing_jumps(more, linear):
    samples = drawn("uniform", 2**10 + more)
    queries = torch.linspace(-1, 6, 2**9, dtype=torch.float64)
    assert (len(queries) * len(samples.x) <= FEW_PAIRS) == (not more)
    pool = local_linear if linear else kernel_pool
    near(predict(queries, *samples, 0.3, linear=linear), pool(queries, *samples, 0.3).output, samples.y, linear)


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
