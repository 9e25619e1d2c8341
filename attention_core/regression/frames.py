"""Many pictures at once: the curve and the attention weights for every width of a grid, or w of a training run."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import NARROWEST, InputError
from attention_core.data import Samples
from attention_core.kernels import kernel_named
from attention_core.pooling import Pooled, kernel_pool
from attention_core.progress import part, pause
from attention_core.regression.local_linear import local_linear
from attention_core.regression.prediction import POWERS, Predictions
from attention_core.regression.selection import evenly
from attention_core.regression.sums.kernel_sums import NODES
from attention_core.regression.sums.pairs import Pairs, Queries, left_out_at, queries_at
from attention_core.regression.sums.shapes import has_fast_sums
from attention_core.regression.sums.tree import Tree

# Weights computed at once (8 MB of float64): enough to be fast, and all keys still fit the memory.
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
    return torch.arange(n) // group_size(n, most)


def group_size(n: int, most: int = MOST_COLUMNS) -> int:
    """How many neighbours share a column."""
    return math.ceil(n / most)


def width_frames(
    samples: Samples,
    queries: tuple[Tensor, Tensor],
    widths: Tensor,
    kernel: str = "gaussian",
    linear: bool = False,
    dtype: torch.dtype = torch.float64,
) -> Frames:
    """Frames for widths (F,): curves over the first queries (C,), weights for the second (Q,) summed by key group.

    Averages may be float32, for a picture; a line needs all digits of the spread of its keys.
    """
    fine, coarse = queries
    dtype = torch.float64 if linear else dtype
    with part(0.0, 0.7):
        curves = Predictions(samples, kernel, dtype).outputs(fine, widths, linear)
    weights = grouped_weights(samples.x, queries_at(coarse, samples.x), widths, kernel, linear, dtype)
    return Frames(curves, weights, key_groups(len(samples.x)))


def w_frames(samples: Samples, queries: tuple[Tensor, Tensor], w: Tensor, left_out: Tensor | None = None) -> Frames:
    """Frames for w (F,) of softmax(-((q - k) w)^2 / 2): only |w| matters, and w = 0 is average pooling.

    With `left_out` (Q,), the key's position for each of the second queries, that query does not attend to that key:
    for queries x[left_out] these are the weights that training sees.
    """
    fine, coarse = queries
    widths = widths_of(_checked_w(w), samples)
    looks = queries_at(coarse, samples.x) if left_out is None else left_out_at(left_out, samples.x)
    curves = Predictions(samples).outputs(fine, widths)
    return Frames(curves, grouped_weights(samples.x, looks, widths), key_groups(len(samples.x)))


def widths_of(w: Tensor, samples: Samples) -> Tensor:
    """1 / |w|; where w is 0 a width so large that all keys count the same, to the last digit."""
    return 1 / w.abs().clamp(min=1e-9 / float(samples.x[-1] - samples.x[0]))


def grouped_weights(
    keys: Tensor,
    queries: Queries,
    widths: Tensor,
    kernel: str = "gaussian",
    linear: bool = False,
    dtype: torch.dtype = torch.float64,
) -> Tensor:
    """The weights (F, Q, K) of sorted keys, summed by group: (F, Q, G); all 0 where no key is in reach.

    A local line tilts the attention a_i into a_i (1 + (q - m)(k_i - m) / s), with the mean key m and its variance s.
    """
    ones, known = torch.ones(len(keys), 1, dtype=torch.float64), kernel_named(kernel)
    few, size = len(keys) <= NODES or not has_fast_sums(known), group_size(len(keys))
    order = queries.at.argsort()
    asked = queries.rows(order)._replace(from_nearest=linear)
    way = Pairs(keys, ones, known, size, dtype) if few else Tree(keys, ones, known, size)
    sums = way.sums(asked, widths, POWERS[linear])  # (F, Q, P, G)
    sums = sums[:, order.argsort()]
    shares = (sums / sums[:, :, :1].sum(-1, keepdim=True)).nan_to_num(0.0)
    if not linear:
        return shares[:, :, 0]
    shift = (queries.at - keys[queries.nearest]) / widths[:, None]  # (F, Q)
    _, first, second = shares.sum(-1).unbind(2)  # of u, measured from the nearest key to the left
    lean, spread = (shift + first)[:, :, None], (second - first.square())[:, :, None]
    tilt = lean * (first[:, :, None] * shares[:, :, 0] - shares[:, :, 1]) / spread
    return shares[:, :, 0] + tilt.where(spread > 1e-290 * lean.square(), 0.0)


def pooled_at(
    samples: Samples, queries: Tensor, widths: Tensor, kernel: str = "gaussian", linear: bool = False
) -> Iterator[Pooled]:
    """What the queries (Q,) get at some of the widths (F,) at a time: outputs (f, Q), weights (f, Q, K)."""
    pool = local_linear if linear else kernel_pool
    for chunk in widths.split(max(1, CHUNK // (len(queries) * len(samples.x)))):
        yield pool(queries, *samples, chunk[:, None, None], kernel)
        pause()


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
    """Add up the weights (..., K) of the keys of each group: (..., G). Weights (..., G) are added up already."""
    columns = int(groups[-1]) + 1
    if columns == weights.shape[-1]:
        return weights
    return weights.new_zeros(*weights.shape[:-1], columns).index_add_(-1, groups, weights)
