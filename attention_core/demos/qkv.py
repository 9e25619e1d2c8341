"""One query meets six keys, on a line or in a plane, and their values answer by weight."""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import LARGEST, InputError
from attention_core.pooling import Pooled, attend

COLDEST = 1e-6  # below this, scores divided by the temperature may leave float64
# Two keys equally far from a query on paper differ by a few roundings in float64; they still share the answer.
TIE = 1e-9


class Pairs(NamedTuple):
    """Keys with the values they stand for: a key says when to listen, its value says what is heard."""

    names: tuple[str, ...]
    keys: Tensor  # (K, D)
    values: Tensor  # (K,)


NAMES = ("A", "B", "C", "D", "E", "F")
VALUES = torch.tensor([62, 18, 85, 34, 71, 9], dtype=torch.float64)
ON_A_LINE = torch.tensor([[0.7], [1.5], [2.9], [4.6], [5.7], [7.4]], dtype=torch.float64)
IN_A_PLANE = torch.tensor([[0.9, 3.2], [1.8, 0.8], [3.3, 2.4], [4.7, 3.5], [5.4, 1.1], [7.1, 2.7]], dtype=torch.float64)
LINE = Pairs(NAMES, ON_A_LINE, VALUES)
PLANE = Pairs(NAMES, IN_A_PLANE, VALUES)


def closeness(queries: Tensor, keys: Tensor) -> Tensor:
    """Score every query (Q, D) against every key (K, D): s = -|q - k|^2 / 2, the logarithm of a Gaussian."""
    return (queries[:, None] - keys).square().sum(-1) / -2  # (Q, K)


def tempered(scores: Tensor, temperature: float) -> Tensor:
    """Scores s / T, exact at both ends: all equal at T = inf, and -inf for all but the highest at T = 0."""
    if temperature == math.inf:
        return torch.zeros_like(scores)
    if temperature == 0:
        highest = scores >= scores.amax(-1, keepdim=True) - TIE
        return torch.zeros_like(scores).masked_fill(~highest, -math.inf)
    if not COLDEST <= temperature <= LARGEST:
        raise InputError(f"temperature must be 0, inf, or from {COLDEST:g} to {LARGEST:g}, not {temperature:g}.")
    return scores / temperature


def pooled(queries: Tensor, temperature: float = 1.0, pairs: Pairs = LINE) -> Pooled:
    """softmax(s / T) @ values: average pooling at T = inf, attention at T = 1, max pooling at T = 0."""
    return attend(tempered(closeness(_checked(queries, pairs), pairs.keys), temperature), pairs.values)


def _checked(queries: Tensor, pairs: Pairs) -> Tensor:
    """Queries as float64 (Q, D), as wide as the keys."""
    queries = torch.as_tensor(queries, dtype=torch.float64)
    width = pairs.keys.shape[-1]
    if queries.ndim == 1 and width == 1:
        queries = queries[:, None]
    if queries.ndim != 2 or queries.shape[1] != width or not (queries.abs() <= LARGEST).all():
        raise InputError(f"queries must be finite numbers up to {LARGEST:g}, {width} for each query.")
    return queries
