"""More data: every rule's error, and that the leave-one-out width is truly the leave-one-out width."""

import itertools
import math

import pytest
import torch

from attention_core import progress
from attention_core.checks import InputError
from attention_core.data import FUNCTIONS, Samples, generate, truth
from attention_core.progress import watched
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
from attention_core.regression.redraw import Recipe, redraws
from attention_core.regression.selection import best_width, silverman_width

recipe = Recipe("wave", noise=0.5, seed=0)


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


def test_the_search_for_a_width_tells_how_far_it_is(monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.0)
    seen = []
    with watched(seen.append):
        list(consistency(recipe, Estimator(0.5), sizes=[10, 90]))
    assert seen == sorted(seen)
    assert len({share for share in seen if 0.1 < share < 1}) > 5
    assert 0.8 < seen[-1] <= 1


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
    assert (SIZES[0], SIZES[-1]) == (10, 1_000_000)
    assert all(2 <= after / before <= 2.5 for before, after in itertools.pairwise(SIZES))
    assert [draws(n) for n in (10, 100, 1000, 5000)] == [20, 10, 1, 1]


def test_measured_data_cannot_grow():
    with pytest.raises(InputError, match="its true curve is unknown"):
        consistency(Recipe("engel"), Estimator())
    with pytest.raises(InputError, match="function must be one of"):
        consistency(Recipe("zigzag"), Estimator())
