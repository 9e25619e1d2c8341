"""More data: the error as n grows, with a width that stays and with widths that shrink."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import FUNCTIONS, Samples, truth
from attention_core.progress import part
from attention_core.regression.estimator import Estimator
from attention_core.regression.redraw import Recipe, redraws
from attention_core.regression.selection import best_width, silverman_width

SIZES = (*(digit * 10**power for power in range(1, 6) for digit in (1, 2, 5)), 1_000_000)
# Few points scatter much: average over more draws of them. Together not more points than this, and not more draws.
POINTS_PER_SIZE, MOST_DRAWS = 1_000, 20


class Point(NamedTuple):
    """The error of one rule with n samples: one dot of the picture."""

    rule: str  # an id of RULES
    n: int
    width: float  # geometric mean over the draws
    error: float  # mean squared, against the truth


RULES: dict[str, Callable[[Samples, Estimator], float]] = {
    "fixed": lambda samples, estimator: estimator.width,
    "rule_of_thumb": lambda samples, estimator: silverman_width(samples),
    "leave_one_out": lambda samples, estimator: best_width(samples, estimator.kernel, estimator.linear),
}


def consistency(recipe: Recipe, estimator: Estimator, sizes: Sequence[int] = SIZES) -> Iterator[Point]:
    """Yield the error of every rule at every n, one Point after another; the estimator's width is the fixed one."""
    queries = where_data_fall(recipe.function)
    return _points(recipe, estimator, sizes, queries, truth(recipe.function, queries))


def _points(
    recipe: Recipe, estimator: Estimator, sizes: Sequence[int], queries: Tensor, curve: Tensor
) -> Iterator[Point]:
    done = 0  # points searched for a width: nothing else takes long
    for n in sizes:
        drawn = list(redraws(replace(recipe, n=n), draws(n)))
        for rule in RULES:
            before, done = done, done + n * (rule == "leave_one_out")
            with part(before / sum(sizes), done / sum(sizes)):
                point = _point(rule, drawn, estimator, queries, curve)
            yield point


def where_data_fall(function: str, count: int = 100) -> Tensor:
    """Queries spread as the inputs are, so that no query stands in a gap of the data."""
    unit = (torch.arange(count, dtype=torch.float64) + 0.5) / count
    truth(function, unit)  # a measured data set has no law to draw from: say so
    return FUNCTIONS[function].place(unit)


def draws(n: int) -> int:
    """Over how many data sets of n points the error is averaged."""
    return max(1, min(MOST_DRAWS, POINTS_PER_SIZE // n))


def _point(rule: str, drawn: list[Samples], estimator: Estimator, queries: Tensor, curve: Tensor) -> Point:
    widths = [RULES[rule](samples, estimator) for samples in drawn]
    errors = [
        squared_error(replace(estimator, width=width), samples, queries, curve)
        for width, samples in zip(widths, drawn, strict=True)
    ]
    width = math.exp(math.fsum(map(math.log, widths)) / len(widths))
    return Point(rule, len(drawn[0].x), width, math.fsum(errors) / len(errors))


def squared_error(estimator: Estimator, samples: Samples, queries: Tensor, curve: Tensor) -> float:
    """Mean of (f - truth)^2; a query without a key in reach gets the mean of all values, as in leave-one-out."""
    prediction = estimator.predict(queries, samples)
    return (prediction.where(prediction.isfinite(), samples.y.mean()) - curve).square().mean().item()
