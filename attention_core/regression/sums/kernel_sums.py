"""Kernel sums by whichever way costs least: every pair, a few neighbours, cells of equal length, or a tree.

Costs are counted in pairs, each an exponential and a multiplication: about 4 ns, and DISTANCES times that where powers
of the distance are summed too. A tree takes SETUP of them at first, and then NODES for every query at every width;
cells of one length take SETUP, and then next to nothing. `make bench` shows in its part "Ways" what each of them takes
on both sides of where one gets cheaper than another.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.kernels import Kernel, gaussian
from attention_core.regression.sums.cells import NEAR, GaussianCells, cell_length
from attention_core.regression.sums.neighbours import Neighbours
from attention_core.regression.sums.pairs import Pairs, Queries, left_out_at
from attention_core.regression.sums.shapes import has_fast_sums, shape_of
from attention_core.regression.sums.tree import Tree

LINE = (0, 1, 2)  # the powers of the distance that a line is made of
SETUP, NODES, DISTANCES = 2**19, 1_000, 4  # see above
FEW_KEYS = 400  # up to so many keys, neighbours are no faster than all of them
CROWD = 12  # queries and keys to a cell: with fewer of them, the tree costs less
AT_ONCE = 2**17  # queries times widths
FEW_DIGITS = 1e-3  # of (spread / widths^2)^1.5 over the distance of a query: with fewer, see `_with_spread`

Way = Callable[[Queries, Tensor, Sequence[int]], Tensor]  # sorted queries, widths and powers -> sums (F, Q, P, C)


class Part(NamedTuple):
    """The sums at some of the queries for some of the widths."""

    widths: Tensor  # (f,): places among all widths
    rows: Tensor  # (m,): places among all queries
    sums: Tensor  # (f, m, P, C): see `pairs`; times a factor of each query's own
    own: Tensor  # (f, m): what a key at the query itself weighs, times the same factor
    shift: Tensor  # (f, m): widths from where u is measured to the query; 0 where that is the query


class KernelSums:
    """Sorted keys (K,) with columns (K, C), the first of which is all ones; `dtype` is that of weights of pairs."""

    def __init__(self, keys: Tensor, columns: Tensor, kernel: Kernel, dtype: torch.dtype = torch.float64) -> None:
        self.keys, self.columns, self.kernel, self.dtype = keys, columns, kernel, dtype
        self._tree: Tree | None = None

    @cached_property
    def pairs(self) -> Pairs:
        return Pairs(self.keys, self.columns, self.kernel, dtype=self.dtype)

    @property
    def tree(self) -> Tree:
        """Made once, without cached_property: until Python 3.12 that has one lock for all, and a tree pauses."""
        self._tree = self._tree or Tree(self.keys, self.columns, self.kernel)
        return self._tree

    @cached_property
    def cells(self) -> GaussianCells:
        return GaussianCells(self.keys, self.columns)

    @cached_property
    def neighbours(self) -> Neighbours:
        return Neighbours(self.keys, self.columns, self.kernel)

    @cached_property
    def left_out(self) -> Queries:
        """Every key, as a query that does not attend to itself."""
        return left_out_at(torch.arange(len(self.keys)), self.keys)

    def parts(self, widths: Tensor, powers: Sequence[int] = (0,), queries: Queries | None = None) -> Iterator[Part]:
        """The sums at sorted queries, or at every key without itself, for all widths, part by part.

        A line needs the spread of the keys, however small it is: so its distances are measured from the nearest key.
        """
        asked = (queries or self.left_out)._replace(from_nearest=tuple(powers) == LINE)
        rest, every = torch.arange(len(widths)), torch.arange(len(asked.at))
        if queries is None and len(self.keys) > FEW_KEYS and has_fast_sums(self.kernel):
            rest = yield from self._by_neighbours(asked, widths, rest, powers)
        if self.kernel.log is gaussian:
            rest = yield from self._by_cells(asked, widths, rest, powers)
        way = self._pairs_or_tree(len(every) * len(rest) * _weight(powers))
        yield from self._one_way(way, asked, every, widths, rest, powers)

    def _pairs_or_tree(self, asked: int) -> Way:
        """The way that costs less for so many queries, counted at every width."""
        few = len(self.keys) * asked <= SETUP + NODES * asked
        return self.pairs.sums if few or not has_fast_sums(self.kernel) else self.tree.sums

    def _one_way(
        self, way: Way, asked: Queries, rows: Tensor, widths: Tensor, chosen: Tensor, powers: Sequence[int]
    ) -> Iterator[Part]:
        """The sums at these rows for the chosen widths by pairs or by the tree, so many at once as fit the memory."""
        here = asked.rows(rows)
        for places in chosen.split(max(1, AT_ONCE // len(rows))) if len(rows) and len(chosen) else ():
            yield self._part(here, rows, widths, places, way(here, widths[places], powers))

    def _part(self, here: Queries, rows: Tensor, widths: Tensor, places: Tensor, sums: Tensor) -> Part:
        """A part relative to the nearest keys."""
        shift = (here.at - self.keys[here.nearest]) / widths[places, None]  # (f, m)
        own = shape_of(self.kernel).weight(torch.zeros_like(shift), shift.abs())
        return Part(places, rows, sums, own, shift if here.from_nearest else torch.zeros_like(shift))

    def _by_neighbours(
        self, asked: Queries, widths: Tensor, chosen: Tensor, powers: Sequence[int]
    ) -> Generator[Part, None, Tensor]:
        """The sums for the widths at which every key meets only a few others; returns the other widths."""
        rest, rows = [], torch.arange(len(self.keys))
        for place in chosen:
            width = float(widths[place])
            if (side := self.neighbours.enough(width, asked.from_nearest)) is None:
                rest.append(place)
            else:
                sums = self.neighbours.left_out(width, side, powers, asked.from_nearest)
                yield self._part(asked, rows, widths, place[None], sums[None])
        return torch.stack(rest) if rest else chosen[:0]

    def _by_cells(
        self, asked: Queries, widths: Tensor, chosen: Tensor, powers: Sequence[int]
    ) -> Generator[Part, None, Tensor]:
        """The sums for the widths at which cells hold many keys; returns the other widths."""
        most = min(len(self.keys), NODES) * len(asked.at) * _weight(powers)  # what each width costs otherwise
        if most * len(chosen) <= SETUP:
            return chosen
        lengths = torch.tensor([cell_length(width) for width in widths[chosen].tolist()])
        apart, crowded = (asked.at - self.keys[asked.nearest]).abs_(), torch.zeros(len(chosen), dtype=torch.bool)
        for length in lengths.unique().tolist():
            places = chosen[lengths == length]
            if most * len(places) <= SETUP or self.cells.count(length) * CROWD > len(self.keys) + len(asked.at):
                continue
            self.cells.fill(length)
            near = apart <= NEAR * widths[places].min()
            yield from self._near(asked, near.nonzero().squeeze(1), widths, places, powers)
            far = (~near).nonzero().squeeze(1)
            yield from self._one_way(self.tree.sums, asked, far, widths, places, powers)
            crowded |= lengths == length
        return chosen[~crowded]

    def _near(
        self, asked: Queries, near: Tensor, widths: Tensor, places: Tensor, powers: Sequence[int]
    ) -> Iterator[Part]:
        """The sums at queries near a key, by cells."""
        themselves = asked.left_out is not None and len(near) == len(self.keys)
        for here, sums in self.cells.sums(widths[places], powers, None if themselves else asked.at[near]):
            rows = near[here]
            if asked.left_out is not None:
                sums[:, :, 0] -= self.columns[asked.left_out[rows]]
            own = torch.ones(sums.shape[:2], dtype=torch.float64)
            part = Part(places, rows, sums, own, torch.zeros_like(own))
            yield self._with_spread(part, asked, widths, powers) if asked.from_nearest else part

    def _with_spread(self, part: Part, asked: Queries, widths: Tensor, powers: Sequence[int]) -> Part:
        """The same, by the tree where the spread of the keys has lost its digits.

        A line adds Cov(u, y) / spread times the mean distance from its query to the keys, and Cov(u, y) is at most
        sqrt(spread) of the range of y: so an error of the spread counts distance / spread^1.5 as much. It is one of a
        key's own weight 1: where all keys together weigh less, it counts more.
        """
        means = part.sums[..., 0] / part.sums[..., :1, 0]  # (f, m, 3)
        distance, square = means[..., 1:].abs().unbind(2)
        spread, whole = square - distance.square(), part.sums[:, :, 0, 0].clamp(max=1.0)
        weak = ~((spread > FEW_DIGITS * square) & (whole * spread.clamp(min=0).pow(1.5) > FEW_DIGITS * distance))
        for which in weak.any(1).nonzero().squeeze(1):
            rows = part.rows[weak[which]]
            for better in self._one_way(self.tree.sums, asked, rows, widths, part.widths[which, None], powers):
                for old, new in zip(part[2:], better[2:], strict=True):
                    old[which, weak[which]] = new[0]
        return part


def _weight(powers: Sequence[int]) -> int:
    """How many pairs a pair counts for."""
    return DISTANCES if max(powers) > 0 else 1
