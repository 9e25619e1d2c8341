"""Sums of Gaussian kernels: near the keys by cells of one width, far from them by what they look like from afar."""

import math
from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Tensor

from attention_core.kernels import KERNELS
from attention_core.regression.sums.cells import (
    Cells,
    cells_of,
    double_series,
    matched,
    moments,
    nodes,
    read,
    to_series,
)
from attention_core.regression.sums.windows import LOST, Windows, WindowSums, nearest_key, windowed

COUNT = 16  # polynomials a cell: the kernel is met to 1e-16 of its height
NEAR = 3.0  # widths from the nearest key up to which cells keep all digits
GROWTH = 1.4  # beyond that, cells grow with the distance: a far cluster looks the same to many
FEW_DIGITS = 1e-3  # below this, what is left of a sum without the point itself has lost too many digits


class GaussianSums:
    """Sums over sorted keys (K,) of e^(-u^2 / 2) times columns (K, C), the first of which is all ones."""

    def __init__(self, keys: Tensor, columns: Tensor, width: float, powers: Sequence[int] = (0,)) -> None:
        self.keys, self.columns, self.width, self.powers = keys, columns, width, powers

    def at(self, queries: Tensor) -> Tensor:
        """sum_i K(u_i) u_i^p column_i / K(u_nearest) with u = (q - k) / width: (Q, P, C)."""
        nearest = (queries - nearest_key(self.keys, queries)).abs_().div_(self.width)
        near = nearest <= NEAR
        sums = torch.empty(len(queries), len(self.powers), self.columns.shape[1], dtype=torch.float64)
        for rows, summed in (near, near_sums), (~near, far_sums):
            if bool(rows.any()):
                sums[rows] = summed(queries[rows], self.keys, self.columns, self.width, self.powers)
        sums[near] *= (nearest[near].square() / 2).exp()[:, None, None]
        return sums

    def left_out(self) -> Tensor:
        """The same at every key, without the key itself."""
        sums = near_sums(self.keys, self.keys, self.columns, self.width, self.powers)
        sums[:, 0] -= self.columns
        lonely = (sums[:, 0, 0] < FEW_DIGITS).nonzero().squeeze(1)
        if len(lonely):
            one_by_one = WindowSums(self.keys, self.columns, self.width, KERNELS["gaussian"], self.powers)
            sums[lonely] = one_by_one.left_out(lonely)
        return sums


def near_sums(queries: Tensor, keys: Tensor, columns: Tensor, width: float, powers: Sequence[int] = (0,)) -> Tensor:
    """sum_i K(u_i) u_i^p column_i for queries within NEAR widths of a key: (Q, P, C)."""
    origin = float(keys[0])
    sources, targets = cells_of(keys, origin, width), cells_of(queries, origin, width)
    series = _translated(sources, moments(sources, columns, COUNT), targets, tuple(powers), _reach(len(keys)))
    return read(targets, series).transpose(1, 2)


def _reach(n: int) -> int:
    """Cells between a query and the last key that counts."""
    return math.ceil(math.sqrt(NEAR**2 + 2 * (LOST + math.log(n)))) + 1


def _translated(sources: Cells, charges: Tensor, targets: Cells, powers: tuple[int, ...], reach: int) -> Tensor:
    """The series (G, C, P, COUNT) of the sums in every cell of the targets."""
    series = torch.zeros(len(targets.ids), charges.shape[1], len(powers), COUNT, dtype=torch.float64)
    for offset in range(-reach, reach + 1):
        found, places = matched(sources.ids, targets.ids - offset)
        if len(found):
            series[found] += torch.einsum("gcb,pab->gcpa", charges[places], _kernel_series(offset, powers))
    return series


@lru_cache(maxsize=256)
def _kernel_series(offset: int, powers: tuple[int, ...]) -> Tensor:
    """c_ab (P, COUNT, COUNT) of K(u) u^p for a query `offset` cells right of its key."""
    return double_series(lambda u: torch.stack([(-u * u / 2).exp() * u**power for power in powers]), offset, COUNT)


def far_sums(queries: Tensor, keys: Tensor, columns: Tensor, width: float, powers: Sequence[int] = (0,)) -> Tensor:
    """sum_i K(u_i) u_i^p column_i / K(u_nearest) for queries at least NEAR widths from every key: (Q, P, C).

    The keys on each side are summed on their own, relative to the nearest of them: so no cell has two regimes.
    """
    right = torch.searchsorted(keys, queries)
    edges = (right - 1).clamp(min=0), right.clamp(max=len(keys) - 1)
    far = torch.stack([(queries - keys[edges[0]]) / width, (keys[edges[1]] - queries) / width])  # (2, Q)
    far[0][right == 0], far[1][right == len(keys)] = math.inf, math.inf
    behind = far.square() - far.amin(0).square()
    sums = torch.zeros(len(queries), len(powers), columns.shape[1], dtype=torch.float64)
    for edge, distance, more, sign in zip(edges, far, behind, (1, -1), strict=True):
        rows = (more < 2 * (LOST + math.log(len(keys)))).nonzero().squeeze(1)
        if len(rows):
            side = _Side(keys, columns, width, sign, powers)
            sums[rows] += side(edge[rows], distance[rows]) * (more[rows] / -2).exp()[:, None, None]
    return sums


class _Side:
    """The keys left (sign 1) or right (sign -1) of some queries, as seen from a distance in widths to their edge."""

    def __init__(self, keys: Tensor, columns: Tensor, width: float, sign: int, powers: Sequence[int]) -> None:
        self.keys, self.columns, self.width, self.sign, self.powers = keys, columns, width, sign, powers

    def __call__(self, edges: Tensor, distances: Tensor) -> Tensor:
        """The sums (Q, P, C) relative to the edge: one by one, or by a series where many are about as far away."""
        levels = ((distances / NEAR).log() / math.log(GROWTH)).floor().clamp_(min=0)
        groups, at, counts = torch.unique(
            torch.stack([edges, levels.long()]), dim=1, return_inverse=True, return_counts=True
        )
        crowded = (counts > COUNT).nonzero().squeeze(1)
        alone = (counts <= COUNT)[at].nonzero().squeeze(1)
        starts = NEAR * GROWTH ** groups[1, crowded].double()
        grid = (starts[:, None] * (1 + (GROWTH - 1) * (nodes(COUNT) + 1) / 2)).flatten()
        known = self._one_by_one(
            torch.cat([edges[alone], groups[0, crowded].repeat_interleave(COUNT)]), torch.cat([distances[alone], grid])
        )
        sums = torch.empty(len(edges), *known.shape[1:], dtype=torch.float64)
        sums[alone] = known[: len(alone)]
        if len(crowded):
            series = torch.einsum("ab,gbpc->gpca", to_series(COUNT), known[len(alone) :].unflatten(0, (-1, COUNT)))
            together = (counts > COUNT)[at].nonzero().squeeze(1)
            place = torch.empty_like(counts).scatter_(0, crowded, torch.arange(len(crowded)))[at[together]]
            t = (distances[together] / starts[place] - 1) * (2 / (GROWTH - 1)) - 1
            sums[together] = read(Cells(crowded, place, t), series)
        return sums

    def _one_by_one(self, edges: Tensor, distances: Tensor) -> Tensor:
        lost = 2 * (LOST + math.log(len(self.keys)))
        depth = lost / (distances + (distances.square() + lost).sqrt()) * self.width
        outermost = self.keys[edges] - self.sign * depth
        windows = (
            Windows(torch.searchsorted(self.keys, outermost), edges + 1)
            if self.sign > 0
            else Windows(edges, torch.searchsorted(self.keys, outermost, right=True))
        )

        def scored(rows: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
            behind = (self.keys[edges[rows], None] - self.keys[keys]).abs_() / self.width
            far = distances[rows, None]
            return (far + behind) * self.sign, -behind * (behind / 2 + far)

        return windowed(windows, self.columns, scored, self.powers)
