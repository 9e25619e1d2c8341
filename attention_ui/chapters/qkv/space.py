"""Where the keys lie: on a line or in a plane, with the grid of places that a query can take."""

import math
from dataclasses import dataclass

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
    """Key-value pairs, and how finely a query moves among them; from 0 on every axis."""

    name: str
    pairs: Pairs
    counts: tuple[int, ...]  # places on every axis
    per_unit: int  # places on a length of 1
    start: tuple[float, ...]

    def nodes(self) -> Tensor:
        """Every place of the grid, the last axis fastest: (N, D)."""
        axes = [torch.arange(count, dtype=torch.float64) / self.per_unit for count in self.counts]
        return torch.cartesian_prod(*axes).view(-1, len(axes))

    def nearest(self, place: tuple[float, ...]) -> tuple[float, ...]:
        """The place of the grid that is nearest to this one."""
        steps = (min(max(round(x * self.per_unit), 0), count - 1) for x, count in zip(place, self.counts, strict=True))
        return tuple(step / self.per_unit for step in steps)


SPACES = {
    "line": Space("line", LINE, (321,), 40, (3.4,)),
    "plane": Space("plane", PLANE, (65, 33), 8, (3.875, 1.75)),
}


@dataclass(frozen=True)
class Asked:
    """One question: a query in its space, and the temperature at which the keys are compared."""

    space: Space
    query: tuple[float, ...]
    temperature: float

    def place(self) -> Tensor:
        """The query as (1, D)."""
        return torch.tensor([self.query], dtype=torch.float64)
