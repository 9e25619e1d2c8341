"""Kernel sums at the sorted keys themselves where each meets only a few others: the same number on either side."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from attention_core.kernels import Kernel
from attention_core.progress import pause
from attention_core.regression.sums.pairs import left_out_at, times_powers
from attention_core.regression.sums.shapes import lost, shape_of

SIDES = (4, 8, 16, 32, 48)  # with more neighbours, other ways cost less
PAIRS = 2**16  # keys times neighbours at once: half a megabyte stays in the cache


class Neighbours:
    """Sorted keys (K,) with columns (K, C)."""

    def __init__(self, keys: Tensor, columns: Tensor, kernel: Kernel) -> None:
        self.keys, self.columns, self.kernel, self.shape = keys, columns, kernel, shape_of(kernel)
        self.nearest = keys[left_out_at(torch.arange(len(keys)), keys).nearest]  # (K,)
        apart = keys[SIDES[-1] + 1 :] - keys[: -SIDES[-1] - 1]
        self.closest = float(apart.min()) if len(apart) else math.inf  # two keys with most neighbours between

    def enough(self, width: float, from_nearest: bool = False) -> int | None:
        """How many neighbours on either side hold all keys that count; None where these are not few."""
        too_light = lost(len(self.keys), from_nearest)
        if self.closest <= width * float(self.shape.reach(torch.zeros(()).double(), too_light)):
            return None
        reach = self.shape.reach((self.keys - self.nearest).abs_().div_(width), too_light).mul_(width)
        return next((side for side in SIDES if self._beyond(reach, side)), None)

    def _beyond(self, reach: Tensor, side: int) -> bool:
        """Whether the first key behind so many neighbours is out of reach for every key."""
        apart = self.keys[side + 1 :] - self.keys[: -side - 1]
        return bool((apart > reach[side + 1 :]).all() and (apart > reach[: -side - 1]).all())

    def left_out(self, width: float, side: int, powers: Sequence[int], from_nearest: bool = False) -> Tensor:
        """The sums (K, P, C) at every key over so many neighbours on either side, relative to the nearest of these."""
        sums = torch.empty(len(self.keys), len(powers), self.columns.shape[1], dtype=torch.float64)
        # Far beyond both ends stand keys that do not count. Each row of `unfold` is a view: a key and its neighbours.
        far = self.keys[[0, -1]] + (self.keys[-1] - self.keys[0] + width) * torch.tensor([-1.0, 1.0]).double()
        keys = torch.cat([far[:1].expand(side), self.keys, far[1:].expand(side)]).unfold(0, 2 * side + 1, 1)  # (K, k)
        columns = torch.nn.functional.pad(self.columns, (0, 0, side, side)).unfold(0, 2 * side + 1, 1)  # (K, C, k)
        step = max(1, PAIRS // (2 * side + 1))
        for start in range(0, len(keys), step):
            here = slice(start, start + step)
            at, nearest = self.keys[here, None], self.nearest[here, None]
            u = (at - keys[here]).div_(width)
            beyond = u.abs() >= self.kernel.support if self.kernel.support < math.inf else None
            distances = ((nearest if from_nearest else at) - keys[here]) / width if max(powers) > 0 else u
            weights = self.shape.weight(u, (at - nearest).abs_().div_(width))
            if beyond is not None:
                weights.masked_fill_(beyond, 0.0)
            weights[:, side] = 0.0  # the key itself
            for place, part in enumerate(times_powers(weights, distances, powers)):
                sums[here, place] = (part[:, None] * columns[here]).sum(-1)
            pause()
        return sums
