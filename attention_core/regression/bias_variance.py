"""Bias and variance of an estimator at every width, measured on data sets that are drawn again and again."""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import check_whole
from attention_core.data import truth
from attention_core.progress import pause
from attention_core.regression.prediction import Predictions
from attention_core.regression.redraw import Recipe, redraws

REDRAWS = 100


class BiasVariance(NamedTuple):
    """What many data sets predict at each width and query (F, Q).

    Draws that reach no key at a query are left out there; it is NaN if all do.
    """

    mean: Tensor
    low: Tensor  # a tenth of the draws predict less
    high: Tensor  # a tenth of the draws predict more
    squared_bias: Tensor  # (mean - truth)^2
    variance: Tensor

    @property
    def total_squared_bias(self) -> Tensor:
        """Averaged over the queries, (F,)."""
        return self.squared_bias.nanmean(-1)

    @property
    def total_variance(self) -> Tensor:
        """Averaged over the queries, (F,); with the squared bias it makes the mean squared error against the truth."""
        return self.variance.nanmean(-1)


def bias_variance(
    recipe: Recipe,
    widths: Tensor,
    queries: Tensor,
    kernel: str = "gaussian",
    linear: bool = False,
    count: int = REDRAWS,
) -> BiasVariance:
    """E (f - truth)^2 = (E f - truth)^2 + Var f at every width and query, over so many redrawn data sets."""
    check_whole("count", count, 1, 10_000)
    curve = truth(recipe.function, queries)
    every = []
    for samples in redraws(recipe, count):
        every.append(Predictions(samples, kernel).outputs(queries, widths, linear))
        pause(len(every) / count)
    drawn = torch.stack(every)  # (count, F, Q)
    mean = drawn.nanmean(0)
    low, high = drawn.nanquantile(torch.tensor([0.1, 0.9], dtype=torch.float64), 0)
    return BiasVariance(mean, low, high, (mean - curve).square(), (drawn - mean).square().nanmean(0))
