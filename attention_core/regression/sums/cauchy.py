"""Sums of Cauchy kernels 1 / (1 + u^2), which have no end: keys far away are seen through ever larger cells."""

import math
from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Tensor

from attention_core.regression.sums.cells import (
    cells_of,
    double_series,
    matched,
    moments,
    nodes,
    polynomials,
    read,
    to_series,
)
from attention_core.regression.sums.windows import Windows, nearest_key, windowed

COUNT = 16
FEW_DIGITS = 1e-3  # below this, what is left of a sum without the point itself has lost too many digits
LEAF = 0.5  # widths: the kernel has poles one width off the line, so cells must be short
BESIDE = 2  # cells so near are left to the level below


class CauchySums:
    """Sums over sorted keys (K,) of 1 / (1 + u^2) times columns (K, C), the first of which is all ones."""

    def __init__(self, keys: Tensor, columns: Tensor, width: float, powers: Sequence[int] = (0,)) -> None:
        self.keys, self.columns, self.width, self.powers = keys, columns, width, powers

    def at(self, queries: Tensor) -> Tensor:
        """sum_i K(u_i) u_i^p column_i / K(u_nearest) with u = (q - k) / width: (Q, P, C)."""
        nearest = (queries - nearest_key(self.keys, queries)).abs_().div_(self.width)
        sums = tree_sums(queries, self.keys, self.columns, self.width, self.powers)
        return sums * (1 + nearest.square())[:, None, None]

    def left_out(self) -> Tensor:
        """The same at every key, without the key itself."""
        sums = tree_sums(self.keys, self.keys, self.columns, self.width, self.powers)
        sums[:, 0] -= self.columns
        lonely = (sums[:, 0, 0] < FEW_DIGITS).nonzero().squeeze(1)
        if len(lonely):
            sums[lonely] = self._lonely(lonely)
        return sums

    def _lonely(self, places: Tensor) -> Tensor:
        """The keys of other cells by the tree, and the few of one's own cell one by one."""
        queries = self.keys[places]
        sums = tree_sums(queries, self.keys, self.columns, self.width, self.powers, own_cell=False)
        cells = cells_of(self.keys, float(self.keys[0]), LEAF * self.width).at
        own = Windows(torch.searchsorted(cells, cells[places]), torch.searchsorted(cells, cells[places], right=True))

        def scored(rows: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
            u = (queries[rows, None] - self.keys[keys]) / self.width
            return u, -torch.log1p(u * u).masked_fill(keys == places[rows, None], math.inf)

        return sums + windowed(own, self.columns, scored, self.powers)


def tree_sums(
    queries: Tensor,
    keys: Tensor,
    columns: Tensor,
    width: float,
    powers: Sequence[int] = (0,),
    own_cell: bool = True,
) -> Tensor:
    """sum_i K(u_i) u_i^p column_i: (Q, P, C); without the keys in the query's own smallest cell, if so asked."""
    origin = float(torch.minimum(keys[0], queries.min()))
    sources, targets = cells_of(keys, origin, LEAF * width), cells_of(queries, origin, LEAF * width)
    near = [offset for offset in range(-BESIDE, BESIDE + 1) if own_cell or offset]
    charges = moments(sources, columns, COUNT)
    series = _down(sources.ids, charges, targets.ids, tuple(powers), LEAF)
    _add(series, (sources.ids, charges), targets.ids, near, tuple(powers), LEAF)
    return read(targets, series).transpose(1, 2)


def _down(ids: Tensor, charges: Tensor, targets: Tensor, powers: tuple[int, ...], length: float) -> Tensor:
    """The series (G, C, P, COUNT) in the targets' cells of all keys that are not in a cell beside them."""
    if max(int(ids[-1]), int(targets[-1])) - min(int(ids[0]), int(targets[0])) <= BESIDE:
        return torch.zeros(len(targets), charges.shape[1], len(powers), COUNT, dtype=torch.float64)
    parents, at = torch.unique_consecutive(ids >> 1, return_inverse=True)
    halves = _halves()[ids & 1]  # (G, COUNT, COUNT)
    merged = torch.zeros(len(parents), *charges.shape[1:], dtype=torch.float64)
    merged.index_add_(0, at, torch.einsum("gca,gba->gcb", charges, halves))
    above, below = torch.unique_consecutive(targets >> 1, return_inverse=True)
    larger = _down(parents, merged, above, powers, 2 * length)
    series = torch.einsum("gcpb,gba->gcpa", larger[below], _halves()[targets & 1])
    beyond = [offset for offset in range(-2 * BESIDE - 1, 2 * BESIDE + 2) if abs(offset) > BESIDE]
    _add(series, (ids, charges), targets, beyond, powers, length)
    return series


def _add(
    series: Tensor,
    sources: tuple[Tensor, Tensor],
    targets: Tensor,
    offsets: Sequence[int],
    powers: tuple[int, ...],
    length: float,
) -> None:
    """Add the keys in the cells at these offsets, as far as the level above leaves them to this one."""
    ids, charges = sources
    for offset in offsets:
        found, places = matched(ids, targets - offset)
        left_to_us = ((targets[found] >> 1) - (ids[places] >> 1)).abs() <= BESIDE
        found, places = found[left_to_us], places[left_to_us]
        if len(found):
            kernel = _kernel_series(offset, powers, length)
            series[found] += torch.einsum("gcb,pab->gcpa", charges[places], kernel)


@lru_cache(maxsize=1024)
def _kernel_series(offset: int, powers: tuple[int, ...], length: float) -> Tensor:
    def kernel(distance: Tensor) -> Tensor:
        u = distance * length
        return torch.stack([u**power / (1 + u * u) for power in powers])

    return double_series(kernel, offset, COUNT)


@lru_cache(maxsize=1)
def _halves() -> Tensor:
    """For the left and the right half of a cell (2, b, a): T_b of the cell in terms of the T_a of the half."""
    x = nodes(COUNT)
    return torch.stack([polynomials((x + side) / 2, COUNT) @ to_series(COUNT).T for side in (-1, 1)])
