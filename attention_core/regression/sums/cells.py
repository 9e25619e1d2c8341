"""Smooth functions on short cells of the line, by their Chebyshev polynomials.

A kernel K(q - k) with q in one cell and k in another is smooth in both, so it is a short double series
sum_ab c_ab T_a(q) T_b(k). Keys enter through their moments sum_i T_b(k_i) column_i, once for each cell; queries read
the series of their cell.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

ROWS = 2**13  # points at once: their polynomials stay in the cache


class Cells(NamedTuple):
    """Points on a line cut into cells of one length: the cells that hold any, and where in them each point is."""

    ids: Tensor  # (G,): growing whole numbers, cell i reaches from i to i + 1 lengths behind the origin
    at: Tensor  # (n,): for each point the place of its cell among `ids`
    t: Tensor  # (n,): from -1 at the left end of its cell to 1 at the right one


def cells_of(points: Tensor, origin: float, length: float) -> Cells:
    """Cut the line behind the origin, and find every point's cell."""
    places = (points - origin) / length
    ids = places.floor()
    found, at = torch.unique(ids.long(), return_inverse=True)
    return Cells(found, at, (places - ids).mul_(2).sub_(1))


def matched(ids: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
    """Which of the wanted cells there are, and their places among the growing ids."""
    places = torch.searchsorted(ids, wanted).clamp_(max=len(ids) - 1)
    found = (ids[places] == wanted).nonzero().squeeze(1)
    return found, places[found]


def polynomials(t: Tensor, count: int) -> Tensor:
    """T_0 to T_(count - 1) at t (n,): (count, n)."""
    values = torch.ones(count, len(t), dtype=torch.float64)
    if count > 1:
        values[1] = t
    twice = 2 * t
    for order in range(2, count):
        torch.addcmul(values[order - 2].neg(), twice, values[order - 1], out=values[order])
    return values


def moments(cells: Cells, columns: Tensor, count: int) -> Tensor:
    """sum_i T_b(t_i) column_i over the points of every cell: (G, C, count)."""
    C = columns.shape[1]  # noqa: N806
    sums = torch.zeros(len(cells.ids), C, count, dtype=torch.float64)
    for start in range(0, len(cells.t), ROWS):
        here = slice(start, start + ROWS)
        basis = polynomials(cells.t[here], count)  # (count, rows)
        for column in range(C):
            sums[:, column].index_add_(0, cells.at[here], (basis * columns[here, column]).T.contiguous())
    return sums


def read(cells: Cells, series: Tensor) -> Tensor:
    """The value at every point of the series (G, ..., count) of its cell: (n, ...)."""
    shape, count = series.shape[1:-1], series.shape[-1]
    flat = series.reshape(len(series), -1, count)
    values = torch.empty(len(cells.t), flat.shape[1], dtype=torch.float64)
    for start in range(0, len(cells.t), ROWS):
        here = slice(start, start + ROWS)
        basis = polynomials(cells.t[here], count).T  # (rows, count)
        torch.bmm(flat[cells.at[here]], basis.unsqueeze(-1), out=values[here].unsqueeze(-1))
    return values.view(-1, *shape)


def nodes(count: int) -> Tensor:
    """The Chebyshev nodes in (-1, 1), growing."""
    return -torch.cos((torch.arange(count, dtype=torch.float64) + 0.5) * (math.pi / count))


def to_series(count: int) -> Tensor:
    """The matrix (count, count) that turns values at the nodes into a Chebyshev series."""
    matrix = polynomials(nodes(count), count) * (2 / count)
    matrix[0] /= 2
    return matrix


def double_series(function: Callable[[Tensor], Tensor], offset: float, count: int) -> Tensor:
    """c_ab of a function of the distance in cell lengths, from a key's cell to the query's, which lies `offset` on."""
    x, turn = nodes(count), to_series(count)
    values = function(offset + (x[:, None] - x) / 2)  # (..., count, count)
    return turn @ values @ turn.T
