"""The quality of a fit: errors against the truth and by leave-one-out, and the entropy of the weights."""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import Samples
from attention_core.regression.estimator import AVERAGE, Estimator
from attention_core.regression.selection import PointErrors, loo_losses


class Accuracy(NamedTuple):
    """The error of a prediction, and where there is none."""

    error: float  # mean squared, over the queries that reach a key; NaN when none does
    undefined: int  # how many queries reach no key


class Sharpness(NamedTuple):
    """How sharp the weights are."""

    entropy: float  # mean of -sum_i a_i log a_i, over the queries that reach a key; NaN when none does
    neighbours: float  # exp(entropy): as many equal weights would be as spread out
    unreached: int  # how many queries reach no key


class Row(NamedTuple):
    """One estimator in the table of errors."""

    name: str
    test_error: float | None  # None when nobody knows the truth
    undefined: int  # queries without a prediction, left out of the test error
    loo_error: float
    training_error: float  # each point is predicted from all points, itself included


def accuracy(prediction: Tensor, truth: Tensor) -> Accuracy:
    """Mean of (prediction - truth)^2 where the prediction is defined."""
    defined = prediction.isfinite()
    return Accuracy((prediction - truth)[defined].square().mean().item(), int((~defined).sum()))


def sharpness(weights: Tensor) -> Sharpness:
    """Mean entropy of the rows of attention weights (Q, K), none of them negative; 0 log 0 = 0."""
    reached = weights.amax(-1) > 0  # (Q,)
    entropy = torch.special.entr(weights[reached]).sum(-1).mean().item()
    return Sharpness(entropy, math.exp(entropy), int((~reached).sum()))


def loo_error(samples: Samples, estimator: Estimator) -> float:
    """Mean squared leave-one-out error of one estimator."""
    return loo_losses(samples, [estimator.width], estimator.kernel, estimator.linear).item()


def compare(samples: Samples, queries: Tensor, truth: Tensor | None, estimators: dict[str, Estimator]) -> list[Row]:
    """The errors of average pooling and of every estimator that is named."""
    named = {"Average pooling": AVERAGE, **estimators}
    return [_row(name, estimator, samples, queries, truth) for name, estimator in named.items()]


def _row(name: str, estimator: Estimator, samples: Samples, queries: Tensor, truth: Tensor | None) -> Row:
    prediction = estimator.predict(queries, samples)
    test_error = None if truth is None else accuracy(prediction, truth).error
    left_out, fitted = PointErrors(samples, estimator.kernel, estimator.linear)([estimator.width])
    return Row(name, test_error, int(prediction.isnan().sum()), left_out.item(), fitted.item())
