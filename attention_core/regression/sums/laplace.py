"""Sums of Laplace kernels e^-|u|: a sum over the keys on one side only shrinks when one walks away from it."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

FORGOTTEN = 750.0  # e^-750 is 0


class LaplaceSums:
    """The sums over the keys on either side, at every key."""

    def __init__(self, keys: Tensor, columns: Tensor, width: float, powers: Sequence[int] = (0,)) -> None:
        self.keys, self.width, self.powers = keys, width, list(powers)
        highest = max(powers)
        self.left = _running(keys, columns, width, highest)  # (K, p, C), every key included in its own
        self.right = _running(-keys.flip(0), columns.flip(0), width, highest).flip(0)

    def at(self, queries: Tensor) -> Tensor:
        """sum_i K(u_i) u_i^p column_i / K(u_nearest): (Q, P, C)."""
        after = torch.searchsorted(self.keys, queries, right=True)
        return self._both(queries, after - 1, after)

    def left_out(self) -> Tensor:
        """The same at every key without itself."""
        places = torch.arange(len(self.keys))
        return self._both(self.keys, places - 1, places + 1)

    def _both(self, queries: Tensor, before: Tensor, after: Tensor) -> Tensor:
        last = len(self.keys) - 1
        left = (queries - self.keys[before.clamp(min=0)]).div_(self.width)
        right = (self.keys[after.clamp(max=last)] - queries).div_(self.width)
        left[before < 0], right[after > last] = math.inf, math.inf
        nearest = torch.minimum(left, right)
        signs = torch.tensor([(-1.0) ** power for power in range(self.right.shape[1])], dtype=torch.float64)
        sums = _moved(self.left[before.clamp(min=0)], left, nearest)
        sums += _moved(self.right[after.clamp(max=last)], right, nearest) * signs[:, None]
        return sums[:, self.powers]


def _running(keys: Tensor, columns: Tensor, width: float, highest: int) -> Tensor:
    """At every key (K, p, C): the sum over the keys up to it, of e^-u u^p column with the distance u."""
    sums = torch.zeros(len(keys), highest + 1, columns.shape[1], dtype=torch.float64)
    sums[:, 0] = columns
    step = 1
    while step < len(keys):  # twice as many keys in every sum, each time
        distances = (keys[step:] - keys[:-step]) / width
        if float(distances.min()) > FORGOTTEN:
            break
        sums[step:] += _moved(sums[:-step], distances, torch.zeros_like(distances))
        step *= 2
    return sums


def _moved(sums: Tensor, distances: Tensor, nearest: Tensor) -> Tensor:
    """The sums (n, p, C) as they are at a point so much farther on, times e^nearest; 0 at an infinite distance."""
    moved = torch.zeros_like(sums)
    there = distances.isfinite()
    far = distances.where(there, 0.0)[:, None]
    for power in range(sums.shape[1]):
        for lower in range(power + 1):
            share = math.comb(power, lower) * far ** (power - lower) if lower < power else 1.0
            moved[:, power] += share * sums[:, lower]
    return moved * (nearest - distances).exp()[:, None, None]
