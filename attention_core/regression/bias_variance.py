"""Bias and variance of an estimator, measured on data sets that are drawn again and again."""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import check_whole
from attention_core.data import truth
from attention_core.regression.estimator import Estimator
from attention_core.regression.redraw import Recipe, redraws

REDRAWS = 100


class BiasVariance(NamedTuple):
    """What many data sets predict at each query (Q,); draws that reach no key there are left out, NaN if all do."""

    mean: Tensor
    low: Tensor  # a tenth of the draws predict less
    high: Tensor  # a tenth of the draws predict more
    squared_bias: Tensor  # (mean - truth)^2
    variance: Tensor

    @property
    def total_squared_bias(self) -> float:
        """Averaged over the queries."""
        return self.squared_bias.nanmean().item()

    @property
    def total_variance(self) -> float:
        """Averaged over the queries; with the squared bias it makes the mean squared error against the truth."""
        return self.variance.nanmean().item()


def bias_variance(recipe: Recipe, estimator: Estimator, queries: Tensor, count: int = REDRAWS) -> BiasVariance:
    """E (f - truth)^2 = (E f - truth)^2 + Var f at every query, over so many redrawn data sets."""
    check_whole("count", count, 1, 10_000)
    curve = truth(recipe.function, queries)
    drawn = torch.stack([estimator.predict(queries, samples) for samples in redraws(recipe, count)])  # (count, Q)
    mean = drawn.nanmean(0)
    low, high = drawn.nanquantile(torch.tensor([0.1, 0.9], dtype=torch.float64), 0)
    return BiasVariance(mean, low, high, (mean - curve).square(), (drawn - mean).square().nanmean(0))
