"""Where the keys lie: on a line or in a plane, with the grids of places that the query and the keys can take."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import torch
from torch import Tensor

from attention_core.demos.qkv import LINE, PLANE, Pairs

PER_DECADE, DECADES = 6, 11 / 6
STEPS = round(PER_DECADE * DECADES)
VALUE_AXIS = (0.0, 100.0)
# One slider from average pooling over attention, in its very middle, to the nearest key alone.
TEMPERATURES = (math.inf, *(float(f"{10 ** (-step / PER_DECADE):.3g}") for step in range(-STEPS, STEPS + 1)), 0.0)


@dataclass(frozen=True, eq=False)
class Space:
    """Key-value pairs, and how finely a query and a key move among them; from 0 on every axis."""

    name: str
    pairs: Pairs
    counts: tuple[int, ...]  # places of the query on every axis
    per_unit: int  # of these on a length of 1
    start: tuple[float, ...]
    keys_per_unit: int  # places of a key on a length of 1

    def nodes(self) -> Tensor:
        """Every place of the query, the last axis fastest: (N, D)."""
        return _grid(self.counts, self.per_unit)

    def key_counts(self) -> tuple[int, ...]:
        """Places of a key on every axis."""
        return tuple((count - 1) * self.keys_per_unit // self.per_unit + 1 for count in self.counts)

    def key_places(self) -> Tensor:
        """Every place that a key can be dragged to, the last axis fastest: (P, D)."""
        return _grid(self.key_counts(), self.keys_per_unit)

    def nearest(self, place: tuple[float, ...]) -> tuple[float, ...]:
        """The place of the query's grid that is nearest to this one."""
        steps = (min(max(round(x * self.per_unit), 0), count - 1) for x, count in zip(place, self.counts, strict=True))
        return tuple(step / self.per_unit for step in steps)

    def ends(self) -> tuple[float, ...]:
        """The largest number on every axis."""
        return tuple((count - 1) / self.per_unit for count in self.counts)


def _grid(counts: tuple[int, ...], per_unit: int) -> Tensor:
    axes = [torch.arange(count, dtype=torch.float64) / per_unit for count in counts]
    return torch.cartesian_prod(*axes).view(-1, len(axes))


SPACES = {
    "line": Space("line", LINE, (321,), 40, (3.4,), 10),
    "plane": Space("plane", PLANE, (65, 33), 8, (3.875, 1.75), 4),
}


@lru_cache(256)
def space_with(name: str, keys: tuple[float, ...], values: tuple[float, ...]) -> Space:
    """The space of this name with other keys, given one after the other, and other values."""
    usual = SPACES[name]
    if (keys, values) == (tuple(usual.pairs.keys.flatten().tolist()), tuple(usual.pairs.values.tolist())):
        return usual  # whose frames are packed before the first visitor comes
    pairs = Pairs(
        usual.pairs.names,
        torch.tensor(keys, dtype=torch.float64).view(len(values), -1),
        torch.tensor(values, dtype=torch.float64),
    )
    return replace(usual, pairs=pairs)


@dataclass(frozen=True)
class Asked:
    """One question: a query in its space, and the temperature at which the keys are compared."""

    space: Space
    query: tuple[float, ...]
    temperature: float

    def place(self) -> Tensor:
        """The query as (1, D)."""
        return torch.tensor([self.query], dtype=torch.float64)
