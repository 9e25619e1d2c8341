"""Kernel sums over every pair of a query and a key, in blocks: for few keys nothing is faster.

Like every way to sum, it answers the same question: for queries q and widths (F,) the sums

    sum_i e_i u_i^p column_i   with   e_i = K((q - k_i) / width) / K((q - nearest key) / width)

for each power p and each column. Relative to the nearest key, the sums keep their digits however far away all keys are;
their ratios are the same. (Kernels that end are not divided: they never get too small.)
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.kernels import Kernel
from attention_core.progress import pause
from attention_core.regression.sums.shapes import exponentials, shape_of

LOG = -1  # in place of a power: sum e log e, which the entropy of the weights is made of
BLOCK = 2**17  # pairs times widths at once: 1 MB stays in the cache


class Queries(NamedTuple):
    """Where queries stand, the nearest key of each, and a key that does not count."""

    at: Tensor  # (Q,)
    nearest: Tensor  # (Q,): its place among the sorted keys
    left_out: Tensor | None = None  # (Q,): a place too
    from_nearest: bool = False  # whether u in the powers is measured from the nearest key instead of the query

    def rows(self, here: slice | Tensor) -> "Queries":
        """Some of them."""
        return Queries(
            self.at[here],
            self.nearest[here],
            None if self.left_out is None else self.left_out[here],
            self.from_nearest,
        )


def queries_at(queries: Tensor, keys: Tensor) -> Queries:
    """These queries, each with the nearest of the sorted keys."""
    right = torch.searchsorted(keys, queries).clamp_(max=len(keys) - 1)
    left = (right - 1).clamp_(min=0)
    return Queries(queries, torch.where((queries - keys[left]).abs() <= (keys[right] - queries).abs(), left, right))


def left_out_at(places: Tensor, keys: Tensor) -> Queries:
    """The keys at these places as queries that do not attend to themselves."""
    last, here = len(keys) - 1, keys[places]
    left, right = (places - 1).clamp(min=0), (places + 1).clamp(max=last)
    takes_left = (places == last) | ((places > 0) & (here - keys[left] <= keys[right] - here))
    return Queries(here, torch.where(takes_left, left, right), places)


def times_powers(weights: Tensor, u: Tensor, powers: Sequence[int], logs: Tensor | None = None) -> Iterator[Tensor]:
    """The weights times each power of u, or times their logarithm."""
    for power in powers:
        if power == LOG:
            yield torch.special.entr(weights).neg_() if logs is None else weights * logs
        else:
            yield weights if power == 0 else weights * (u if power == 1 else u**power)


class Pairs:
    """Sorted keys (K,) with columns (K, C), in groups of `size` neighbours, or in one.

    For a picture the sums of weights may be float32: that takes half of the time.
    """

    def __init__(
        self, keys: Tensor, columns: Tensor, kernel: Kernel, size: int | None = None, dtype: torch.dtype = torch.float64
    ) -> None:
        self.keys, self.shape, self.kernel = keys, shape_of(kernel), kernel
        self.columns = columns.to(dtype).mT.contiguous()  # (C, K): so laid out, they are multiplied in half of the time
        self.size, self.dtype = size or len(keys), dtype

    def sums(self, queries: Queries, widths: Tensor, powers: Sequence[int] = (0,)) -> Tensor:
        """The sums (F, Q, P, C); with groups, those of each of them (F, Q, P, G C)."""
        rows, last = max(1, BLOCK // len(self.keys)), len(self.columns) * math.ceil(len(self.keys) / self.size)
        sums = torch.empty(len(widths), len(queries.at), len(powers), last, dtype=self.dtype)
        narrowest = widths.min()
        for start in range(0, len(queries.at), rows):
            here = queries.rows(slice(start, start + rows))
            together = max(1, BLOCK // (len(here.at) * len(self.keys)))
            logs = self._logs(here, narrowest) if self.shape.power and max(powers) <= 0 else None
            for some, out in zip(widths.split(together), sums[:, start : start + rows].split(together), strict=True):
                if logs is None:
                    self._block(here, some[:, None, None], powers, out)
                else:
                    self._by_logs(logs, (narrowest / some)[:, None, None], powers, out)
                pause()
        return sums

    def _logs(self, queries: Queries, width: Tensor) -> Tensor:
        """The logarithms of the weights (rows, K) at one width; those at other widths are multiples of them."""
        apart = (queries.at[:, None] - self.keys).abs_().div_(width)
        nearest = (queries.at - self.keys[queries.nearest]).abs_().div_(width)
        logs = nearest[:, None] - apart
        if self.shape.power == 2:
            logs = logs.mul_(apart.add_(nearest[:, None])).mul_(0.5)  # a difference of squares, by its factors
        if queries.left_out is not None:
            logs[torch.arange(len(logs)), queries.left_out] = -math.inf
        return logs.to(self.dtype)

    def _by_logs(self, logs: Tensor, narrower: Tensor, powers: Sequence[int], out: Tensor) -> None:
        """Write the sums at widths relative to which that of the logarithms is so much narrower."""
        scaled = logs * (narrower**self.shape.power).to(self.dtype)
        weights = exponentials(scaled, keep=LOG in powers)
        for place, part in enumerate(times_powers(weights, weights, powers, scaled)):
            out[:, :, place] = self._by_group(part)

    def _block(self, queries: Queries, widths: Tensor, powers: Sequence[int], out: Tensor) -> None:
        nearest = self.keys[queries.nearest][:, None]
        u = (queries.at[:, None] - self.keys) / widths  # (f, rows, K)
        beyond = u.abs() >= self.kernel.support if self.kernel.support < math.inf else None
        origins = nearest if queries.from_nearest else queries.at[:, None]
        distances = (origins - self.keys) / widths if max(powers) > 0 else u
        weights = self.shape.weight(u, (queries.at[:, None] - nearest).abs() / widths)
        if beyond is not None:
            weights.masked_fill_(beyond, 0.0)
        if queries.left_out is not None:
            weights[:, torch.arange(len(queries.at)), queries.left_out] = 0.0
        for place, part in enumerate(times_powers(weights, distances, powers)):
            out[:, :, place] = self._by_group(part)

    def _by_group(self, weights: Tensor) -> Tensor:
        """Weights (f, rows, K) times the columns, added up over every group: (f, rows, G C)."""
        weights = weights.to(self.dtype)
        if self.size == len(self.keys):
            sums = torch.mm(self.columns, weights.flatten(0, 1).mT).mT  # (f rows, C)
            return sums.view(*weights.shape[:2], -1)
        products = weights[..., None] * self.columns.mT  # (f, rows, K, C)
        rest = -len(self.keys) % self.size  # the last group may be smaller
        products = torch.nn.functional.pad(products, (0, 0, 0, rest))
        return products.view(*weights.shape[:2], -1, self.size, len(self.columns)).sum(3).flatten(2)
