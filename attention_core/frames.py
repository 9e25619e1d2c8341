"""Many pictures at once: the curve and the attention weights for every width of a grid."""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import Samples
from attention_core.local_linear import local_linear
from attention_core.pooling import kernel_pool

# Weights computed at once (8 MB of float64): enough to be fast, and 50,000 keys still fit the memory.
CHUNK = 2**20
MOST_COLUMNS = 100


class Frames(NamedTuple):
    """One frame per width: what a slider shows while it is dragged."""

    curves: Tensor  # (F, C): the output over a fine grid
    weights: Tensor  # (F, Q, G): queries by groups of neighbouring keys
    groups: Tensor  # (K,): the group, so the column, of every key


def key_groups(n: int, most: int = MOST_COLUMNS) -> Tensor:
    """Which of at most `most` equal groups of neighbours each of n sorted keys falls in; its own where n is small."""
    columns = min(n, most)
    return torch.arange(n) * columns // n


def width_frames(
    samples: Samples, queries: tuple[Tensor, Tensor], widths: Tensor, kernel: str = "gaussian", linear: bool = False
) -> Frames:
    """Frames for widths (F,): curves over the first queries (C,), weights for the second (Q,) summed by key group."""
    pool = local_linear if linear else kernel_pool
    fine, coarse = queries
    groups = key_groups(len(samples.x))
    curves, weights = [], []
    for chunk in widths.split(max(1, CHUNK // (len(fine) * len(samples.x)))):
        width = chunk[:, None, None]  # (f, 1, 1)
        curves.append(pool(fine, *samples, width, kernel).output)
        weights.append(summed(pool(coarse, *samples, width, kernel).weights, groups))
    return Frames(torch.cat(curves), torch.cat(weights), groups)


def summed(weights: Tensor, groups: Tensor) -> Tensor:
    """Add up the weights (..., K) of the keys of each group: (..., G)."""
    columns = int(groups[-1]) + 1
    if columns == len(groups):
        return weights
    return weights.new_zeros(*weights.shape[:-1], columns).index_add_(-1, groups, weights)
