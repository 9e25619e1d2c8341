"""Sums in which every query meets the keys of a window of its own, one by one."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.kernels import Kernel, gaussian, laplace

LOST = 30.0  # a key e^-30 / n times as heavy as the nearest one does not count
PAIRS = 2**16  # queries times keys at once: half a megabyte stays in the cache


class Windows(NamedTuple):
    """For each query the first of its keys and the one after the last, as places among the sorted keys."""

    first: Tensor  # (Q,)
    end: Tensor  # (Q,)

    @property
    def pairs(self) -> int:
        """How many pairs of a query and a key there are."""
        return int((self.end - self.first).clamp_(min=0).sum())


# From the rows of a block (r,) and the places of their keys (r, k) or (1, k): u = (q - k) / width, and the scores.
Scored = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def windowed(windows: Windows, columns: Tensor, scored: Scored, powers: Sequence[int] = (0,)) -> Tensor:
    """sum_i exp(score_i) u_i^p column_i over the window of every query: (Q, P, C)."""
    sums = torch.zeros(len(windows.first), len(powers), columns.shape[1], dtype=torch.float64)
    for rows, keys, inside in _blocks(windows):
        u, scores = scored(rows, keys)
        weights = scores.exp_() if inside is None else scores.exp_().masked_fill_(~inside, 0.0)
        parts = [weights * u**power if power else weights for power in powers]
        for place, part in enumerate(parts):
            sums[rows, place] = (
                part @ columns[keys[0]] if inside is None else torch.bmm(part[:, None], columns[keys]).squeeze(1)
            )
    return sums


def _blocks(windows: Windows) -> Iterator[tuple[Tensor, Tensor, Tensor | None]]:
    """Rows with windows of about the same size, the places of their keys, and which of these are inside (None: all)."""
    counts, order = (windows.end - windows.first).sort()
    start, last = int(torch.searchsorted(counts, 1)), int(windows.end.max()) - 1
    while start < len(order):
        end = _last_that_fits(counts, start)
        rows = order[start:end]
        first, count = windows.first[rows], int(counts[end - 1])
        if int(counts[start]) == count and bool((first == first[0]).all()):
            yield rows, first[:1, None] + torch.arange(count), None
        else:
            keys = first[:, None] + torch.arange(count)
            yield rows, keys.clamp(max=last), keys < windows.end[rows, None]
        start = end


def _last_that_fits(counts: Tensor, start: int) -> int:
    """Where a block must end so that it holds few enough pairs, but at least one row: windows grow along the order."""
    rows = max(1, PAIRS // int(counts[start]))
    while rows > 1 and rows * int(counts[min(start + rows, len(counts)) - 1]) > 2 * PAIRS:
        rows //= 2
    return min(start + rows, len(counts))


class WindowSums:
    """Sums over sorted keys (K,) of kernel times columns (K, C), key by key within reach of every query."""

    def __init__(
        self, keys: Tensor, columns: Tensor, width: float, kernel: Kernel, powers: Sequence[int] = (0,)
    ) -> None:
        self.keys, self.columns, self.width, self.kernel, self.powers = keys, columns, width, kernel, powers

    def _reach(self, nearest: Tensor) -> Tensor:
        """How many widths on a key may lie to count, where the nearest one is so many widths away."""
        lost = LOST + math.log(len(self.keys))
        if self.kernel.log is gaussian:
            return (nearest.square() + 2 * lost).sqrt()
        return nearest + lost if self.kernel.log is laplace else torch.full_like(nearest, self.kernel.support * 1.001)

    def windows(self, queries: Tensor, nearest: Tensor) -> Windows:
        """The keys that count for each query."""
        far = self._reach(nearest) * self.width
        return Windows(
            torch.searchsorted(self.keys, queries - far), torch.searchsorted(self.keys, queries + far, right=True)
        )

    def at(self, queries: Tensor) -> Tensor:
        """sum_i K(u_i) u_i^p column_i / K(u_nearest): (Q, P, C)."""
        return self._sums(queries, queries, nearest_key(self.keys, queries))

    def left_out(self, places: Tensor | None = None) -> Tensor:
        """The same at the keys at these places, without the key itself."""
        places = torch.arange(len(self.keys)) if places is None else places
        return self._sums(self.keys[places], self.keys[places], nearest_other(self.keys, places), places)

    def from_nearest(self, queries: Tensor, places: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """The same sums with u measured from the nearest key, not from the query; and where the query is from there.

        So the nearest key adds exactly 0 to all powers, and the spread of the keys keeps its digits however small the
        weight of the second one is. With `places`, the query is the key at that place and does not count itself.
        """
        nearest = nearest_key(self.keys, queries) if places is None else nearest_other(self.keys, places)
        return self._sums(queries, nearest, nearest, places), (queries - nearest) / self.width

    def _sums(self, queries: Tensor, origins: Tensor, nearest: Tensor, left_out: Tensor | None = None) -> Tensor:
        distance = (queries - nearest).abs_().div_(self.width)
        highest = self.kernel(distance.clone())
        highest = highest.where(highest > -math.inf, 0.0)

        def scored(rows: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
            scores = self.kernel((queries[rows, None] - self.keys[keys]).div_(self.width)).sub_(highest[rows, None])
            if left_out is not None:
                scores.masked_fill_(keys == left_out[rows, None], -math.inf)
            return (origins[rows, None] - self.keys[keys]).div_(self.width), scores

        return windowed(self.windows(queries, distance), self.columns, scored, self.powers)


def nearest_key(keys: Tensor, queries: Tensor) -> Tensor:
    """The sorted key that is nearest to each query."""
    right = torch.searchsorted(keys, queries)
    left, right = keys[(right - 1).clamp_(min=0)], keys[right.clamp_(max=len(keys) - 1)]
    return torch.where((queries - left).abs() <= (right - queries).abs(), left, right)


def nearest_other(keys: Tensor, places: Tensor) -> Tensor:
    """The nearest other key of the sorted keys at these places."""
    here = keys[places]
    left, right = keys[(places - 1).clamp(min=0)], keys[(places + 1).clamp(max=len(keys) - 1)]
    takes_left = (places == len(keys) - 1) | ((places > 0) & (here - left <= right - here))
    return torch.where(takes_left, left, right)
