"""What is known of each kernel: its weight without a logarithm, how far it reaches, and where it is smooth.

Smooth means: over a stretch of keys, the kernel of a query is a polynomial of degree 15 to about 14 digits. It depends
on the length of the stretch, on poles and kinks near it, and on how steeply the kernel falls there.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import Curve
from attention_core.kernels import (
    Kernel,
    boxcar,
    cauchy,
    constant,
    epanechnikov,
    gaussian,
    laplace,
    triangular,
    tricube,
)

# The least logarithm, and what it is the logarithm of: next to the smallest numbers there are, torch takes 40 to 200
# times as long for e^x.
FAINTEST = {torch.float64: (-700.0, 1e-303), torch.float32: (-80.0, 1e-34)}
STEEP = 3.0  # widths: farther from all keys, a Gaussian falls so steeply that stretches must be shorter


class Seen(NamedTuple):
    """A stretch of keys as it is seen by a block of queries: u = (q - k) / width, from its least to its greatest."""

    low: Tensor
    high: Tensor
    length: Tensor  # of the stretch, in widths
    nearest: Tensor  # widths from a query to its nearest key, at most

    @property
    def distance(self) -> Tensor:
        """Widths from the block to the stretch; 0 where they overlap."""
        return torch.maximum(self.low, -self.high).clamp_(min=0)

    @property
    def one_sided(self) -> Tensor:
        """Whether no query lies inside the stretch."""
        return (self.low >= 0) | (self.high <= 0)

    @property
    def inside(self) -> Tensor:
        """Whether all queries are less than one width from all keys of the stretch."""
        return (self.low > -1) & (self.high < 1)


class Shape(NamedTuple):
    """What is known of a kernel."""

    weight: Callable[[Tensor, Tensor], Tensor]  # from u, which is overwritten, and the nearest: K(u) / K(nearest)
    smooth: Callable[[Seen], Tensor]
    reach: Callable[[Tensor, float], Tensor]  # from the nearest and `lost`: how many widths on a key still counts
    power: int = 0  # where log K(u) = -|u|^power / power


def exponentials(logs: Tensor, keep: bool = False) -> Tensor:
    """e to the power of each number, 0 where it is next to nothing; `logs` are overwritten, or kept up to there."""
    faintest, least = FAINTEST[logs.dtype]
    logs.clamp_(min=faintest)
    return torch.threshold_(logs.exp() if keep else logs.exp_(), least, 0.0)


def _gaussian(u: Tensor, nearest: Tensor) -> Tensor:
    u = u.abs_()
    return exponentials((nearest - u).mul_(u.add_(nearest)).mul_(0.5))  # a difference of squares, by its factors


def _cauchy(u: Tensor, nearest: Tensor) -> Tensor:
    return (1 + nearest.square()) / u.square_().add_(1)


def _tricube(u: Tensor, nearest: Tensor) -> Tensor:
    return (1 - u.abs_().pow_(3)).pow_(3)


def _one_width(nearest: Tensor, lost: float) -> Tensor:
    return torch.ones_like(nearest)


def _no_end(nearest: Tensor, lost: float) -> Tensor:
    return torch.full_like(nearest, math.inf)


SHAPES: dict[Curve, Shape] = {
    gaussian: Shape(
        _gaussian,
        lambda seen: seen.length <= (STEEP / seen.nearest).clamp_(max=1.0),
        lambda nearest, lost: (nearest.square() + 2 * lost).sqrt(),
        power=2,
    ),
    laplace: Shape(
        lambda u, nearest: exponentials(nearest - u.abs_()),
        lambda seen: (seen.length <= 2) & seen.one_sided,
        lambda nearest, lost: nearest + lost,
        power=1,
    ),
    cauchy: Shape(  # poles one width off the line: not within three half lengths of the middle of the stretch
        _cauchy,
        lambda seen: 1 + (seen.distance + seen.length / 2).square() >= 2.25 * seen.length.square(),
        _no_end,
    ),
    constant: Shape(lambda u, nearest: torch.ones_like(u), lambda seen: seen.length < math.inf, _no_end),
    boxcar: Shape(lambda u, nearest: torch.ones_like(u), lambda seen: seen.inside, _one_width),
    epanechnikov: Shape(lambda u, nearest: 1 - u.square_(), lambda seen: seen.inside, _one_width),
    triangular: Shape(lambda u, nearest: 1 - u.abs_(), lambda seen: seen.inside & seen.one_sided, _one_width),
    tricube: Shape(_tricube, lambda seen: seen.inside & seen.one_sided, _one_width),
}


def shape_of(kernel: Kernel) -> Shape:
    """What is known of this kernel; of one that stands in no list, only where it ends."""

    def weight(u: Tensor, nearest: Tensor) -> Tensor:
        return kernel(u).exp_()

    def reach(nearest: Tensor, lost: float) -> Tensor:
        return torch.full_like(nearest, kernel.support)

    return SHAPES.get(kernel.log) or Shape(weight, lambda seen: seen.length < 0, reach)


def lost(n: int, spread: bool = False) -> float:
    """The logarithm of how much lighter than the nearest of n keys a key must be not to count.

    It does for an average if all such keys together weigh less than the last digit; for the spread of the keys, which
    the second heaviest decides however light it is, only if its weight is 0 in float64.
    """
    return 745.0 if spread else 30.0 + math.log(n)


def has_fast_sums(kernel: Kernel) -> bool:
    """Whether the sums of this kernel cost less than all pairs of queries and keys."""
    return kernel.log in SHAPES or kernel.support < math.inf
