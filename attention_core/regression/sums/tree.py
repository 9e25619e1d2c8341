"""Kernel sums of any kernel by a tree over the sorted keys.

A query sees keys that lie close together as one. Where K((q - k) / width) is smooth in k over a stretch of keys, it is
known there by its values at COUNT nodes, so that these can take the place of the keys:

    sum_i K((q - k_i) / width) column_i  =  sum_b K((q - node_b) / width) weight_b

with weight_b = sum_i l_b(k_i) column_i (see `chebyshev`). The weights depend neither on the query nor on the width. The
tree holds them for stretches of 16 to 32 keys, for twice as many, and so on up to all keys. A block of queries takes
the longest stretches over which its kernel is smooth, leaves out what is beyond its reach, and meets the few keys that
remain one by one: some 500 weights a query, whatever the number of keys and whatever the width.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.kernels import Kernel
from attention_core.progress import pause
from attention_core.regression.sums.chebyshev import nodes, shares
from attention_core.regression.sums.pairs import LOG, Queries, times_powers
from attention_core.regression.sums.shapes import Seen, lost, shape_of

COUNT = 16  # nodes of a stretch
LEAF = 32  # keys of the shortest stretches, at most
BLOCK, FEW = 32, 32  # queries of a block, at most; and blocks that there should be
LOOKS = 2**17  # pairs of a block and a stretch at once
PAIRS = 2**17  # pairs of a query and a node, or a key, at once: 1 MB stays in the cache


class Level(NamedTuple):
    """Stretches of about equally many keys, m of them; those behind the last key are empty."""

    first: Tensor  # (m,): the place of the first key
    end: Tensor  # (m,): the place after the last key
    middle: Tensor  # (m,)
    half: Tensor  # (m,): half its length
    weights: Tensor  # (m, COUNT, C)


class Blocks(NamedTuple):
    """T blocks of b neighbouring queries, each block with one width."""

    queries: Queries  # each part (T, b)
    widths: Tensor  # (T, 1)
    nearest: Tensor  # (T, b): widths from each query to its nearest key
    apart: tuple[Tensor, Tensor]  # each (T,): the first and the last place of keys that must be met one by one


class Looks(NamedTuple):
    """Which block looks at which stretch of a level: L pairs of them."""

    block: Tensor  # (L,)
    place: Tensor  # (L,)

    def where(self, chosen: Tensor) -> "Looks":
        """Those that are chosen."""
        return Looks(self.block[chosen], self.place[chosen])

    def halved(self) -> "Looks":
        """The same blocks with both halves of their stretches."""
        return Looks(self.block.repeat_interleave(2), (2 * self.place[:, None] + torch.arange(2)).flatten())


class Points(NamedTuple):
    """What L looks find: m points each, with columns."""

    middle: Tensor  # (L,)
    offset: Tensor  # (L, m): how far from the middle; nearby points keep their digits so
    columns: Tensor  # (L, m, C)
    keys: Tensor | None = None  # (L, m): their places, if they are keys

    def seen_from(self, queries: Tensor) -> Tensor:
        """The distances q - point (L, b, m) from queries (L, b)."""
        return (queries - self.middle[:, None])[:, :, None] - self.offset[:, None]


class Tree:
    """Sorted keys (K,) with columns (K, C), in groups of `size` neighbours that no stretch goes beyond, or in one."""

    def __init__(self, keys: Tensor, columns: Tensor, kernel: Kernel, size: int | None = None) -> None:
        self.keys, self.columns, self.kernel, self.shape = keys, columns, kernel, shape_of(kernel)
        self.size = size or len(keys)
        self.groups = math.ceil(len(keys) / self.size)
        halvings = max(0, math.ceil(math.log2(self.size / LEAF)))  # from a group down to its leaves
        self.leaf = math.ceil(self.size / 2**halvings)  # keys of a leaf
        self.levels = [self._leaves(2**halvings)]
        for _ in range(halvings):
            self.levels.append(self._merged(self.levels[-1]))

    def _leaves(self, each: int) -> Level:
        """The shortest stretches, so many in each group."""
        place = torch.arange(self.groups * each)
        begin = place // each * self.size  # of its group
        end = torch.minimum(begin + (place % each + 1) * self.leaf, begin + self.size).clamp_(max=len(self.keys))
        first = torch.minimum(begin + place % each * self.leaf, end)
        middle, half = self._span(first, end)
        weights = torch.empty(len(place), COUNT, self.columns.shape[1], dtype=torch.float64)
        for here in place.split(PAIRS // (4 * LEAF)):  # the polynomials of all keys at once would fill the memory
            keys, inside = self._members(first[here], end[here])
            offsets = self.keys[keys] - middle[here, None]
            weights[here] = _moved(offsets, self.columns[keys] * inside[:, :, None], half[here])
            pause()
        return Level(first, end, middle, half, weights)

    def _merged(self, below: Level) -> Level:
        """Stretches of two neighbours each: the nodes of both, with their weights, take the place of the keys."""
        first, end = below.first[::2].clone(), below.end[1::2].clone()
        middle, half = self._span(first, end)
        # From one middle to the other: far from 0, the places of nodes themselves would lose their digits.
        apart = (below.middle.view(-1, 2) - middle[:, None]).view(-1, 1)
        offsets = (apart + below.half[:, None] * nodes(COUNT)).view(len(first), -1)
        columns = below.weights.view(len(first), 2 * COUNT, -1)
        weights = torch.empty(len(first), COUNT, columns.shape[2], dtype=torch.float64)
        for here in torch.arange(len(first)).split(PAIRS // (4 * LEAF)):
            weights[here] = _moved(offsets[here], columns[here], half[here])
            pause()
        return Level(first, end, middle, half, weights)

    def _span(self, first: Tensor, end: Tensor) -> tuple[Tensor, Tensor]:
        """The middle and half the length of stretches."""
        low, high = self.keys[first.clamp(max=len(self.keys) - 1)], self.keys[(end - 1).clamp(min=0)]
        middle = low + (high - low) / 2
        return middle, torch.maximum(high - middle, middle - low).clamp_(min=0)

    def _members(self, first: Tensor, end: Tensor) -> tuple[Tensor, Tensor]:
        """The places of the keys of leaves (m, leaf), and which of them are inside."""
        places = first[:, None] + torch.arange(self.leaf)
        return places.clamp(max=len(self.keys) - 1), places < end[:, None]

    def sums(self, queries: Queries, widths: Tensor, powers: Sequence[int] = (0,)) -> Tensor:
        """The sums (F, Q, P, C) at sorted queries; with groups, those of each of them (F, Q, P, G C)."""
        count, each = len(queries.at), max(1, min(BLOCK, len(queries.at) // FEW))
        blocks = math.ceil(count / each)
        rows = torch.arange(blocks * each).clamp_(max=count - 1).view(blocks, each)
        last = self.groups * self.columns.shape[1]
        sums = torch.empty(len(widths) * blocks, each, len(powers), last, dtype=torch.float64)
        for asked in torch.arange(len(sums)).split(max(1, LOOKS // max(32, self.groups))):
            sums[asked] = self._walked(
                self._blocks(queries.rows(rows[asked % blocks]), widths[asked // blocks]), powers
            )
        return sums.view(len(widths), blocks * each, len(powers), last)[:, :count]

    def _blocks(self, queries: Queries, widths: Tensor) -> Blocks:
        nearest = (queries.at - self.keys[queries.nearest]).abs_().div_(widths[:, None])
        places = torch.full_like(queries.nearest, -1) if queries.left_out is None else queries.left_out
        if queries.from_nearest:
            places = torch.cat([queries.nearest, queries.nearest if queries.left_out is None else places], 1)
        return Blocks(queries, widths[:, None], nearest, (places.amin(1), places.amax(1)))

    def _walked(self, blocks: Blocks, powers: Sequence[int]) -> Tensor:
        """Go from the longest stretches to the shortest: take those that are smooth, and halve the others in reach."""
        T, b = blocks.nearest.shape  # noqa: N806
        sums = torch.zeros(T * self.groups, b, len(powers), self.columns.shape[1], dtype=torch.float64)
        looks = Looks(torch.arange(T).repeat_interleave(self.groups), torch.arange(self.groups).repeat(T))
        for height in range(len(self.levels) - 1, -1, -1):
            taken, left = self._seen(self.levels[height], blocks, looks, LOG in powers)
            pause()
            self._add_nodes(sums, blocks, looks.where(taken), powers, height)
            looks = looks.where(left) if height == 0 else looks.where(left).halved()
        self._add_keys(sums, blocks, looks, powers)
        return sums.view(T, self.groups, b, len(powers), -1).permute(0, 2, 3, 1, 4).flatten(3)

    def _seen(self, level: Level, blocks: Blocks, looks: Looks, logarithm: bool) -> tuple[Tensor, Tensor]:
        """Which looks find a stretch over which the kernel is smooth, and which find another one in reach."""
        block, place = looks
        widths, first, end = blocks.widths[block, 0], level.first[place], level.end[place]
        low, high = self.keys[first.clamp(max=len(self.keys) - 1)], self.keys[(end - 1).clamp(min=0)]
        at, nearest = blocks.queries.at, blocks.nearest.amax(1)[block]
        seen = Seen(
            (at[:, 0][block] - high) / widths, (at[:, -1][block] - low) / widths, (high - low) / widths, nearest
        )
        reach = self.shape.reach(nearest, lost(len(self.keys), blocks.queries.from_nearest))
        there = (first < end) & (seen.distance < reach)
        apart = (first <= blocks.apart[1][block]) & (blocks.apart[0][block] < end)
        smooth = there & self.shape.smooth(seen) & ~apart
        if logarithm and self.kernel.support < math.inf:  # log K has a pole where the kernel ends
            smooth &= seen.length <= (1 - torch.maximum(-seen.low, seen.high)).clamp_(max=0.5)
        return smooth, there & ~smooth

    def _add_nodes(self, sums: Tensor, blocks: Blocks, looks: Looks, powers: Sequence[int], height: int) -> None:
        """Add what the nodes of stretches of this height weigh."""
        level, below = self.levels[height], len(self.levels) - 1 - height
        for here in torch.arange(len(looks.block)).split(max(1, PAIRS // (blocks.nearest.shape[1] * COUNT))):
            block, place = looks.where(here)
            points = Points(level.middle[place], level.half[place, None] * nodes(COUNT), level.weights[place])
            self._add(sums, blocks, Looks(block, place >> below), points, powers)

    def _add_keys(self, sums: Tensor, blocks: Blocks, looks: Looks, powers: Sequence[int]) -> None:
        """Add what the keys of leaves weigh, one by one."""
        level, below = self.levels[0], len(self.levels) - 1
        for here in torch.arange(len(looks.block)).split(max(1, PAIRS // (blocks.nearest.shape[1] * self.leaf))):
            block, place = looks.where(here)
            keys, inside = self._members(level.first[place], level.end[place])
            columns = self.columns[keys] * inside[:, :, None]
            points = Points(torch.zeros(len(place), dtype=torch.float64), self.keys[keys], columns, keys)
            self._add(sums, blocks, Looks(block, place >> below), points, powers)

    def _add(self, sums: Tensor, blocks: Blocks, looks: Looks, points: Points, powers: Sequence[int]) -> None:
        """Add the weights of points, times their columns, to the sums of each block and group."""
        queries, widths = blocks.queries.rows(looks.block), blocks.widths[looks.block, :, None]
        u = points.seen_from(queries.at).div_(widths)  # (L, b, m)
        distances = u
        if max(powers) > 0:
            distances = points.seen_from(self.keys[queries.nearest]).div_(widths) if queries.from_nearest else u.clone()
        beyond = u.abs() >= self.kernel.support if points.keys is not None and self.kernel.support < math.inf else None
        weights = self.shape.weight(u, blocks.nearest[looks.block, :, None])
        if beyond is not None:
            weights.masked_fill_(beyond, 0.0)
        if points.keys is not None and queries.left_out is not None:
            weights.masked_fill_(points.keys[:, None] == queries.left_out[:, :, None], 0.0)
        rows = looks.block * self.groups + looks.place
        for place, part in enumerate(times_powers(weights, distances, powers)):
            sums[:, :, place].index_add_(0, rows, part @ points.columns)
        pause()


def _moved(offsets: Tensor, columns: Tensor, half: Tensor) -> Tensor:
    """The weights (m, COUNT, C) of nodes that take the place of points (m, p) from the middle, with their columns."""
    return shares(offsets / half.where(half > 0, 1.0)[:, None], COUNT).mT @ columns
