"""More data: every rule's error, and that the leave-one-out width is truly the leave-one-out width."""

import itertools
import math

import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import FUNCTIONS, Samples, generate, truth
from attention_core.regression.estimator import Estimator
from attention_core.regression.more_data import (
    RULES,
    SIZES,
    Point,
    consistency,
    draws,
    squared_error,
    where_data_fall,
)
from attention_core.regression.quick_width import descend, loo_width, quick_width
from attention_core.regression.redraw import Recipe, redraws
from attention_core.regression.selection import best_width, loo_losses, silverman_width, some

recipe = Recipe("wave", noise=0.5, seed=0)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("function", ["wave", "doppler", "step"])
def test_the_quick_width_is_the_best_width_within_a_percent(function, linear):
    data = generate(function, 500, 0.5, seed=1)
    assert quick_width(data, "gaussian", linear) == pytest.approx(best_width(data, "gaussian", linear), rel=0.01)


@pytest.mark.parametrize("kernel", ["boxcar", "epanechnikov", "laplace"])
def test_the_quick_width_is_as_good_as_the_best_for_kernels_with_edges(kernel):
    data = generate("wave", 500, 0.5, seed=2)
    quick, best = loo_losses(data, [quick_width(data, kernel), best_width(data, kernel)], kernel).tolist()
    assert quick <= best * 1.01


def test_the_quick_width_stays_among_the_widths_worth_trying():
    x = torch.linspace(0, 1, 300, dtype=torch.float64)
    noise = torch.randn(300, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    data = Samples(x, x + 0.1 * noise)  # a noisy line, for a local line as wide as can be
    assert best_width(data, linear=True) > 2
    assert 2 < quick_width(data, linear=True) <= 4 * (1 + 1e-9)


def test_of_two_valleys_the_quick_width_finds_the_deeper_one():
    data = generate("line", 500, 5.0, seed=0)  # the other one, as wide as can be, is 0.3 % higher
    assert quick_width(data, linear=True) == pytest.approx(best_width(data, linear=True), rel=0.01)


def test_small_data_are_searched_fully_and_large_data_with_some_left_out():
    small, large = generate(n=60), generate(n=2000)
    assert loo_width(small, Estimator(linear=True)) == best_width(small, linear=True)
    assert loo_width(large, Estimator()) == quick_width(large, at=some(2000))
    assert loo_width(large, Estimator()) == pytest.approx(quick_width(large), rel=0.25)


@pytest.mark.parametrize(("start", "step"), [(-4.0, 0.3), (0.7, 0.1), (5.0, 0.3)])
def test_descending_a_parabola_ends_at_its_lowest_point(start, step):
    assert descend(lambda x: (x - 0.75) ** 2, start, step, (-9, 9)) == pytest.approx(0.75)


def test_descending_stops_at_the_bounds_and_on_the_flat():
    assert -1.3 <= descend(lambda x: x, 0.0, 0.3, (-1, 1)) <= -0.7
    assert descend(lambda x: 0.0, 0.2, 0.3, (-1, 1)) == 0.2


def test_points_come_one_by_one_for_every_size_and_rule():
    points = consistency(recipe, Estimator(0.5), sizes=[10, 50])
    assert isinstance(next(points), Point)
    rest = list(points)
    assert [(point.n, point.rule) for point in rest] == [(10, r) for r in list(RULES)[1:]] + [(50, r) for r in RULES]


def test_every_point_is_the_mean_over_its_draws():
    fixed, thumb, chosen = consistency(recipe, Estimator(0.5), sizes=[100])
    data = list(redraws(Recipe("wave", 100, 0.5, 0), draws(100)))
    queries = where_data_fall("wave")
    curve = truth("wave", queries)

    def expected(widths):
        errors = [
            (Estimator(width).predict(queries, samples) - curve).square().mean().item()
            for width, samples in zip(widths, data, strict=True)
        ]
        return sum(errors) / len(errors)

    assert (fixed.width, fixed.error) == (pytest.approx(0.5), pytest.approx(expected([0.5] * len(data))))
    widths = [silverman_width(samples) for samples in data]
    assert thumb.error == pytest.approx(expected(widths))
    assert thumb.width == pytest.approx(math.prod(widths) ** (1 / len(widths)))
    assert chosen.error == pytest.approx(expected([best_width(samples) for samples in data]))


def test_a_shrinking_width_keeps_learning_where_a_fixed_one_stops():
    points = {(p.rule, p.n): p for p in consistency(recipe, Estimator(0.5), sizes=[50, 200, 2000])}
    for rule in ("rule_of_thumb", "leave_one_out"):
        errors = [points[rule, n].error for n in (50, 200, 2000)]
        assert errors == sorted(errors, reverse=True)
        assert errors[2] < errors[0] / 5
        assert points[rule, 2000].width < points[rule, 50].width
    assert points["fixed", 2000].error > points["fixed", 200].error / 2  # only its bias is left


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_query_stands_where_no_data_ever_fall(function):
    queries = where_data_fall(function)
    nearest = (queries[:, None] - generate(function, 5000).x).abs().amin(1)
    assert len(queries) == 100
    assert nearest.max() < 0.02


def test_a_query_that_reaches_no_key_counts_as_the_mean():
    data = Samples(torch.tensor([0.0, 1.0, 2.0]).double(), torch.tensor([0.0, 3.0, 9.0]).double())
    error = squared_error(Estimator(0.1, "boxcar"), data, torch.tensor([0.0, 1.5]), torch.tensor([1.0, 1.0]))
    assert error == pytest.approx(((0 - 1) ** 2 + (4 - 1) ** 2) / 2)


def test_the_sizes_grow_evenly_from_10_to_5000_and_small_ones_are_drawn_often():
    assert (SIZES[0], SIZES[-1]) == (10, 5000)
    assert all(2 <= after / before <= 2.5 for before, after in itertools.pairwise(SIZES))
    assert [draws(n) for n in (10, 100, 1000, 5000)] == [20, 10, 1, 1]


def test_measured_data_cannot_grow():
    with pytest.raises(InputError, match="nobody knows its true curve"):
        consistency(Recipe("engel"), Estimator())
    with pytest.raises(InputError, match="function must be one of"):
        consistency(Recipe("zigzag"), Estimator())
