"""Local-linear pooling: fit a weighted line at every query instead of a constant, with less bias at the edges."""

import math

import torch
from torch import Tensor

from attention_core.checks import check_width
from attention_core.kernels import kernel_named
from attention_core.pooling import BLOCK, Pooled, attend, checked


def local_linear(
    queries: Tensor, keys: Tensor, values: Tensor, width: float | Tensor = 1.0, kernel: str = "gaussian"
) -> Pooled:
    """The intercept of the line min sum_i K_i (v_i - a - b (k_i - q))^2, as weights on the values.

    With the attention weights a_i, their mean key m and variance s: weight_i = a_i (1 + (q - m)(k_i - m) / s).
    The weights still sum to 1 but may be negative. With a single key in reach (s = 0) it is that key's value.
    """
    queries, keys, values = checked(queries, keys, values)
    scores = kernel_named(kernel)((queries[:, None] - keys) / check_width(width))  # (..., Q, K)
    return tilt(scores, queries, keys, values)


def tilt(scores: Tensor, queries: Tensor, keys: Tensor, values: Tensor) -> Pooled:
    """Attend with these scores (..., Q, K), then tilt the weights so that a straight line is met exactly."""
    weights = attend(scores, values).weights  # (..., Q, K)
    leaning = tilted(weights, queries, keys)
    reached = weights.amax(-1) > 0  # (..., Q)
    return Pooled((leaning @ values).where(reached, math.nan), leaning)


def tilted(weights: Tensor, queries: Tensor, keys: Tensor) -> Tensor:
    """Weights (..., Q, K) that meet every straight line exactly: they still sum to 1, but may be negative.

    Measured from the strongest key: that one's own distance is exactly 0, so that the variance keeps its
    digits even when a second key has a weight of 1e-100.
    """
    anchor = keys[weights.argmax(-1)]  # (..., Q)
    distance = keys - anchor.unsqueeze(-1)  # (..., Q, K)
    mean = (weights * distance).sum(-1, keepdim=True)  # (..., Q, 1)
    centred = distance - mean
    spread = (weights * centred.square()).sum(-1, keepdim=True)  # (..., Q, 1)
    lean = (queries - anchor).unsqueeze(-1) - mean  # (..., Q, 1): query - mean key
    # Without a second key that weighs more than the smallest numbers there are, there is no line.
    return weights * (1 + (lean * centred / spread).where(spread > 1e-290 * lean.square(), 0.0))


def local_lines(queries: Tensor, keys: Tensor, values: Tensor, width: float = 1.0, kernel: str = "gaussian") -> Tensor:
    """The output of `local_linear` alone, in row blocks."""
    queries, keys, values = checked(queries, keys, values)
    rows = max(1, BLOCK // len(keys))
    return torch.cat([local_linear(q, keys, values, width, kernel).output for q in queries.split(rows)])
