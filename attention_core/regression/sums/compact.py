"""Sums of kernels that are polynomials of |u| up to one width and end there."""

from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Tensor

from attention_core.data import Curve
from attention_core.kernels import Kernel, boxcar, epanechnikov, triangular, tricube
from attention_core.regression.sums.cells import Cells, cells_of, double_series, matched, polynomials
from attention_core.regression.sums.windows import WindowSums, nearest_key

HALVES = 2  # cells in a width
ROWS = 2**13
FEW_DIGITS = 1e-2  # of the keys in reach: a sum below this has lost too many digits
# The kernels that are polynomials of |u| up to their end, by the coefficients of 1, |u|, |u|^2 ...
POLYNOMIALS: dict[Curve, tuple[float, ...]] = {
    boxcar: (1.0,),
    triangular: (1.0, -1.0),
    epanechnikov: (1.0, 0.0, -1.0),
    tricube: (1.0, 0.0, 0.0, -3.0, 0.0, 0.0, 3.0, 0.0, 0.0, -1.0),
}


class PolynomialSums:
    """Sums over sorted keys (K,) of a kernel that ends times columns (K, C), the first of which is all ones."""

    def __init__(
        self, keys: Tensor, columns: Tensor, width: float, kernel: Kernel, powers: Sequence[int] = (0,)
    ) -> None:
        self.keys, self.columns, self.width, self.powers = keys, columns, width, powers
        self.coefficients = POLYNOMIALS[kernel.log]
        self.one_by_one = WindowSums(keys, columns, width, kernel, powers)

    def at(self, queries: Tensor) -> Tensor:
        """sum_i K(u_i) u_i^p column_i times a factor of each query's own, 0 where no key is in reach: (Q, P, C)."""
        sums = polynomial_sums(queries, self.keys, self.columns, self.width, self.coefficients, self.powers)
        nearest = (queries - nearest_key(self.keys, queries)).abs_().div_(self.width)
        windows = self.one_by_one.windows(queries, nearest)
        weak = (sums[:, 0, 0] < FEW_DIGITS * (windows.end - windows.first)).nonzero().squeeze(1)
        if len(weak):
            sums[weak] = self.one_by_one.at(queries[weak])
        return sums

    def left_out(self) -> Tensor:
        """The same at every key, without the key itself."""
        sums = polynomial_sums(self.keys, self.keys, self.columns, self.width, self.coefficients, self.powers)
        sums[:, 0] -= self.columns
        windows = self.one_by_one.windows(self.keys, self.keys)
        weak = (sums[:, 0, 0] < FEW_DIGITS * (windows.end - windows.first)).nonzero().squeeze(1)
        if len(weak):
            sums[weak] = self.one_by_one.left_out(weak)
        return sums


def polynomial_sums(
    queries: Tensor,
    keys: Tensor,
    columns: Tensor,
    width: float,
    coefficients: tuple[float, ...],
    powers: Sequence[int] = (0,),
) -> Tensor:
    """sum_i K(u_i) u_i^p column_i with K(u) = sum_j c_j |u|^j where |u| < 1: (Q, P, C)."""
    left = _Side(keys, columns, width, coefficients, tuple(powers))
    right = _Side(-keys.flip(0), columns.flip(0), width, coefficients, tuple(powers))
    signs = torch.tensor([(-1.0) ** power for power in powers], dtype=torch.float64)
    return left(queries, upto=True) + right(-queries, upto=False) * signs[:, None]


class _Side:
    """Sums over the keys to the left of queries: from each cell in reach all keys, its last ones or its first ones."""

    def __init__(
        self, keys: Tensor, columns: Tensor, width: float, coefficients: tuple[float, ...], powers: tuple[int, ...]
    ) -> None:
        self.keys, self.width, self.coefficients, self.powers = keys, width, coefficients, powers
        self.count = len(coefficients) + max(powers)
        self.length = width / HALVES
        self.cells = cells_of(keys, float(keys[0]), self.length)
        self.starts = torch.searchsorted(self.cells.at, torch.arange(len(self.cells.ids) + 1))  # (G + 1,)
        self.running, self.block = _running(self.cells, columns, self.count)

    def __call__(self, queries: Tensor, upto: bool) -> Tensor:
        """The sums (Q, P, C), with or without the keys at the query itself."""
        first = first_within(self.keys, queries, self.width)
        end = torch.searchsorted(self.keys, queries, right=upto)
        targets = cells_of(queries, float(self.keys[0]), self.length)
        sums = torch.zeros(len(queries), len(self.powers), self.running.shape[1], dtype=torch.float64)
        ids = targets.ids[targets.at]
        for offset in range(HALVES + 1):
            rows, places = matched(self.cells.ids, ids - offset)
            low = torch.maximum(self.starts[places], first[rows])
            high = torch.minimum(self.starts[places + 1], end[rows])
            kept = low < high
            rows, low, high = rows[kept], low[kept], high[kept]
            for start in range(0, len(rows), ROWS):
                here = slice(start, start + ROWS)
                part = self._between(low[here], high[here])  # (r, C, count)
                series = torch.einsum("rcb,pab->rpca", part, self._kernel_series(offset))
                sums[rows[here]] += torch.einsum("rpca,ar->rpc", series, polynomials(targets.t[rows[here]], self.count))
        return sums

    def _between(self, low: Tensor, high: Tensor) -> Tensor:
        """The moments of the keys from low to before high, in one cell."""
        before = (low - 1).clamp(min=0)
        same = (low > 0) & (self.block[before] == self.block[high - 1])
        return self.running[high - 1] - self.running[before] * same[:, None, None]

    def _kernel_series(self, offset: int) -> Tensor:
        return _kernel_series(self.coefficients, self.powers, offset, self.count)


@lru_cache(maxsize=256)
def _kernel_series(coefficients: tuple[float, ...], powers: tuple[int, ...], offset: int, count: int) -> Tensor:
    def kernel(distance: Tensor) -> Tensor:
        u = distance / HALVES
        value = sum(c * u**j for j, c in enumerate(coefficients))
        return torch.stack([value * u**power for power in powers])

    return double_series(kernel, offset, count)


def _running(cells: Cells, columns: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Moments added up from key to key (K, C, count), beginning anew every few thousand keys; and where they did."""
    n = len(cells.t)
    block = torch.empty(n, dtype=torch.long)
    running = torch.empty(n, columns.shape[1], count, dtype=torch.float64)
    starts = torch.searchsorted(cells.at, torch.arange(len(cells.ids) + 1)).tolist()
    begin = 0
    for end in starts[1:]:
        if end - begin >= ROWS or end == n:
            basis = polynomials(cells.t[begin:end], count).T  # (rows, count)
            running[begin:end] = (columns[begin:end, :, None] * basis[:, None]).cumsum(0)
            block[begin:end] = begin
            begin = end
    return running, block


def first_within(keys: Tensor, queries: Tensor, width: float) -> Tensor:
    """The place of the first sorted key with (query - key) / width < 1, rounded as the kernel itself is."""
    places, last = torch.searchsorted(keys, queries - width), len(keys) - 1
    while True:
        before, here = keys[(places - 1).clamp(min=0)], keys[places.clamp(max=last)]
        back = (places > 0) & ((queries - before) / width < 1)
        on = (places <= last) & ((queries - here) / width >= 1)
        if not bool((back | on).any()):
            return places
        places = torch.where(back, torch.searchsorted(keys, before), places)
        places = torch.where(on, torch.searchsorted(keys, here, right=True), places)
