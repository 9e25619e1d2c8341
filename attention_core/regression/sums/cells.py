"""Sums of Gaussians where keys are near, many queries and many widths at once, by cells of equal length.

A sum of smooth bumps is smooth. Cut the line into cells of one to two widths. In every cell COUNT nodes take the place
of the keys (as in `tree`), and COUNT nodes stand for all queries: what the sum is there, it is everywhere in the cell.
So no exponential is taken for a key or a query, only between nodes, and these are the same for all cells that are
equally far apart:

    keys -> nodes of their cell -> nodes of every cell within reach -> queries.

Widths within a factor of two share their cells, so that many of them cost little more than one. The sums are right to
1e-13 of a key's own weight 1, not of the sum itself: far from all keys they have no digits left, and `tree` is asked.
"""

import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from attention_core.progress import pause
from attention_core.regression.sums.chebyshev import nodes, shares
from attention_core.regression.sums.shapes import lost

COUNT = 18  # nodes of a cell: a Gaussian half as wide as the cell is met to 1e-13
NEAR = 3.0  # widths from the nearest key up to which the sums keep their digits
ROW = 32  # points of a row, at most: rows of equally many points can be multiplied together
AT_ONCE = 2**17  # numbers worked on at once, 1 MB
MOST_CELLS = 2.0**50  # from 0 to any key: from 2^53 on, the next cell has no number of its own in float64


class Cells:
    """Sorted points in cells of one length, laid out in rows of equally many points, none of which leaves its cell.

    The length is a power of two and a cell begins at 0, so that a point's place in its cell loses no digit.
    """

    def __init__(self, points: Tensor, length: float) -> None:
        place = points / length
        ids = place.floor()
        self.t = place.sub_(ids).mul_(2).sub_(1)  # (n,): from -1 at the left end of a cell to 1 at the right one
        self.ids, counts = torch.unique_consecutive(ids.long(), return_counts=True)  # (G,) each
        row = min(ROW, 1 << math.ceil(math.log2(len(points) / len(self.ids))))
        rows, ends = (counts + row - 1) // row, counts.cumsum(0)
        self.cell = torch.arange(len(counts)).repeat_interleave(rows)  # (r,): the cell of each row
        before = torch.arange(len(self.cell)) - (rows.cumsum(0) - rows)[self.cell]  # rows of the same cell
        places = ((ends - counts)[self.cell] + row * before)[:, None] + torch.arange(row)
        self.inside = places < ends[self.cell, None]  # (r, row)
        self.places = places.clamp_(max=len(points) - 1)

    def blocks(self, numbers: int) -> Iterator[slice]:
        """Rows of so many points that so many numbers for each of them fit the cache."""
        step = max(1, AT_ONCE // (numbers * self.places.shape[1]))
        return (slice(start, start + step) for start in range(0, len(self.cell), step))

    def shares(self, rows: slice) -> Tensor:
        """How much every node of its cell counts at each point of some rows: (r, row, COUNT)."""
        return shares(self.t[self.places[rows]], COUNT)

    def weights(self, columns: Tensor) -> Tensor:
        """What the nodes of every cell weigh in place of the points with columns (n, C): (G, COUNT, C)."""
        weights = torch.zeros(len(self.ids), COUNT, columns.shape[1], dtype=torch.float64)
        for rows in self.blocks(COUNT):
            here = columns[self.places[rows]] * self.inside[rows, :, None]
            weights.index_add_(0, self.cell[rows], self.shares(rows).mT @ here)
            pause()
        return weights


class GaussianCells:
    """Sorted keys (K,) with columns (K, C); the cells that were used last are kept, for steps of training."""

    def __init__(self, keys: Tensor, columns: Tensor) -> None:
        self.keys, self.columns, self.length = keys, columns, math.nan

    def fill(self, length: float) -> None:
        """Put the keys into cells of this length, if they do not stand there yet."""
        if self.length != length:
            self.length, self.sources = length, Cells(self.keys, length)
            self.weights = self.sources.weights(self.columns)

    def count(self, length: float) -> float:
        """How many cells of this length hold keys; no end of them where numbers are too coarse to tell cells apart."""
        if max(-float(self.keys[0]), float(self.keys[-1])) > MOST_CELLS * length:
            return math.inf
        if self.length == length:
            return len(self.sources.ids)
        ids = (self.keys / length).floor_()
        return 1 + int((ids[1:] != ids[:-1]).sum())

    def sums(
        self, widths: Tensor, powers: Sequence[int], queries: Tensor | None = None
    ) -> Iterator[tuple[Tensor, Tensor]]:
        """The sums at sorted queries, or at the keys, for widths of half a cell to a cell.

        Yields the places of some of the queries (m,), and their sums (f, m, P, C), not relative to the nearest key.
        """
        targets = self.sources if queries is None else Cells(queries, self.length)
        at_nodes = self._at_nodes(targets.ids, table(self.length, widths, powers, len(self.keys)))
        for rows in targets.blocks(at_nodes.shape[2]):
            values = targets.shares(rows) @ at_nodes[targets.cell[rows]]  # (r, row, f P C)
            inside = targets.inside[rows]
            sums = values[inside].view(-1, len(widths), len(powers), self.columns.shape[1])
            yield targets.places[rows][inside], sums.transpose(0, 1)
            pause()

    def _at_nodes(self, targets: Tensor, kernels: Tensor) -> Tensor:
        """The sums at the nodes of the target cells: (G, COUNT, f P C)."""
        ids, columns, reach = self.sources.ids, self.columns.shape[1], len(kernels) // 2
        padded = torch.cat([self.weights, torch.zeros_like(self.weights[:1])]).mT.contiguous()  # (G + 1, C, COUNT)
        matrix = kernels.flatten(0, 1).flatten(1)  # (offsets COUNT, f P COUNT)
        sums = torch.empty(len(targets), columns, matrix.shape[1], dtype=torch.float64)
        step = max(1, AT_ONCE // (len(matrix) * columns))
        for here, out in zip(targets.split(step), sums.split(step), strict=True):
            wanted = here[:, None] - torch.arange(-reach, reach + 1)
            places = torch.searchsorted(ids, wanted).clamp_(max=len(ids) - 1)
            places = places.where(ids[places] == wanted, len(ids))  # weights of 0 where no key is
            near = padded[places].transpose(1, 2).reshape(-1, len(matrix))  # (g C, offsets COUNT)
            torch.mm(near, matrix, out=out.view(-1, matrix.shape[1]))
            pause()
        return sums.view(len(targets), columns, -1, COUNT).permute(0, 3, 2, 1).flatten(2)


def cell_length(width: float) -> float:
    """The power of two that is one to two widths long."""
    return 2.0 ** math.ceil(math.log2(width))


def table(length: float, widths: Tensor, powers: Sequence[int], n: int) -> Tensor:
    """K(u) u^p from the nodes of one cell to those of another, for every distance in cells: (O, COUNT, f, P, COUNT)."""
    far = math.sqrt(NEAR**2 + 2 * lost(n)) * float(widths.max())
    reach = math.ceil(far / length) + 1
    within = nodes(COUNT) / 2
    apart = torch.arange(-reach, reach + 1)[:, None, None] + within - within[:, None]  # (O, from, to)
    u = (apart * length)[:, :, None, None] / widths[:, None, None]  # (O, COUNT, f, 1, COUNT)
    weights = u.square().mul_(-0.5).exp_()
    return torch.cat([weights if power == 0 else weights * u**power for power in powers], 3)
