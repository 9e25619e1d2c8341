"""Many pictures at once: the curve and the attention weights for every width of a grid, or w of a training run."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import NARROWEST, InputError
from attention_core.data import Samples
from attention_core.pooling import Pooled, attend, kernel_pool
from attention_core.regression.local_linear import local_linear
from attention_core.regression.selection import evenly

# Weights computed at once (8 MB of float64): enough to be fast, and 50,000 keys still fit the memory.
CHUNK = 2**20
MOST_COLUMNS = 100
MOST_SHOWN = 120  # epochs of a run that become frames


class Frames(NamedTuple):
    """One frame per width or per w: what a slider shows while it is dragged, or a run while it is played."""

    curves: Tensor  # (F, C): the output over a fine grid
    weights: Tensor  # (F, Q, G): queries by groups of neighbouring keys
    groups: Tensor  # (K,): the group, so the column, of every key


def key_groups(n: int, most: int = MOST_COLUMNS) -> Tensor:
    """Which of at most `most` groups of neighbours each of n sorted keys falls in; its own where n is small.

    Groups are equally large, the last one aside: a column that sums more keys than the next would only look darker.
    """
    return torch.arange(n) // math.ceil(n / most)


def width_frames(
    samples: Samples, queries: tuple[Tensor, Tensor], widths: Tensor, kernel: str = "gaussian", linear: bool = False
) -> Frames:
    """Frames for widths (F,): curves over the first queries (C,), weights for the second (Q,) summed by key group."""
    fine, coarse = queries
    groups = key_groups(len(samples.x))
    curves, weights = [], []
    for pooled in pooled_at(samples, fine, widths, kernel, linear):
        curves.append(pooled.output)
    for pooled in pooled_at(samples, coarse, widths, kernel, linear):
        weights.append(summed(pooled.weights, groups))
    return Frames(torch.cat(curves), torch.cat(weights), groups)


def pooled_at(
    samples: Samples, queries: Tensor, widths: Tensor, kernel: str = "gaussian", linear: bool = False
) -> Iterator[Pooled]:
    """What the queries (Q,) get at some of the widths (F,) at a time: outputs (f, Q), weights (f, Q, K)."""
    pool = local_linear if linear else kernel_pool
    for chunk in widths.split(max(1, CHUNK // (len(queries) * len(samples.x)))):
        yield pool(queries, *samples, chunk[:, None, None], kernel)


def w_frames(samples: Samples, queries: tuple[Tensor, Tensor], w: Tensor, left_out: Tensor | None = None) -> Frames:
    """Frames for w (F,) of softmax(-((q - k) w)^2 / 2): only |w| matters, and w = 0 is average pooling.

    With `left_out` (Q,), the key's position for each of the second queries, that query does not attend to that key:
    for queries x[left_out] these are the weights that training sees.
    """
    fine, coarse = queries
    groups = key_groups(len(samples.x))
    curves, weights = [], []
    for chunk in _checked_w(w).split(max(1, CHUNK // (len(fine) * len(samples.x)))):
        curves.append(_pool(fine, samples, chunk).output)
        weights.append(summed(_pool(coarse, samples, chunk, left_out).weights, groups))
    return Frames(torch.cat(curves), torch.cat(weights), groups)


def _pool(queries: Tensor, samples: Samples, w: Tensor, left_out: Tensor | None = None) -> Pooled:
    """Every query attends once for each w (f,): output (f, Q), weights (f, Q, K)."""
    scores = ((queries[:, None] - samples.x) * w[:, None, None]).square_().mul_(-0.5)  # (f, Q, K)
    if left_out is not None:
        scores[:, torch.arange(len(queries)), left_out] = -math.inf
    return attend(scores, samples.y)


def _checked_w(w: Tensor) -> Tensor:
    w = torch.as_tensor(w, dtype=torch.float64).flatten()
    if not len(w) or not w.abs().max().item() <= 1 / NARROWEST:
        raise InputError(f"w must be numbers from {-1 / NARROWEST:g} to {1 / NARROWEST:g}, at least one.")
    return w


def shown_epochs(count: int, most: int = MOST_SHOWN) -> list[int]:
    """Which of so many epochs, counted from 0, become frames: all when few, else evenly with the first and last."""
    shown: list[int] = evenly(count, most).tolist()
    return shown


def summed(weights: Tensor, groups: Tensor) -> Tensor:
    """Add up the weights (..., K) of the keys of each group: (..., G)."""
    columns = int(groups[-1]) + 1
    if columns == len(groups):
        return weights
    return weights.new_zeros(*weights.shape[:-1], columns).index_add_(-1, groups, weights)
