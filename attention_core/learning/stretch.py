"""Measured data on d2l's scale: in their own units the usual learning rates would be far too large or too small."""

from collections.abc import Callable
from typing import NamedTuple

from torch import Tensor

from attention_core.data import HIGH, LOW, Samples, samples_from
from attention_core.regression.selection import evenly

MOST_TRAINED = 50_000  # points of a training run; more are thinned evenly
USUAL, SPREAD = 50, 1.11  # d2l's points: so many, with this standard deviation of y


class Stretched(NamedTuple):
    """Samples on d2l's scale, x over [0, 5], and how wide they are in their own units."""

    samples: Samples
    x_scale: float  # own units of x to 1 on d2l's scale


Stretch = Callable[[Tensor, Tensor], tuple[Tensor, Tensor, float]]  # to d2l's scale, and own units of x to 1 there


def stretched(samples: Samples) -> Stretched:
    """Map x linearly onto [0, 5] and y to mean 0 and a spread at which d2l's learning rates do what they do there.

    A sum grows with the number of points, so more of them get less spread: the loss is as large as that of 50.
    """
    x, y, x_scale = on_d2ls_scale(*samples_from(*samples))
    return Stretched(Samples(x, y), x_scale)


def on_d2ls_scale(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, float]:
    """Points to learn from, x over [0, 5], where learning rates mean the same; and own units of x to 1 there."""
    at = evenly(len(x), MOST_TRAINED)
    return _scaled(x[at], y[at], SPREAD * (USUAL / len(at)) ** 0.5)


def _scaled(x: Tensor, y: Tensor, spread: float) -> tuple[Tensor, Tensor, float]:
    """Sorted x over [0, 5], y with mean 0 and this spread, and own units of x to 1 there."""
    x_scale = (float(x[-1]) - float(x[0])) / (HIGH - LOW)
    y_scale = float(y.std(correction=0)) / spread
    # y that are all equal, but for rounding, have no spread to go by.
    y_scale = y_scale if y_scale > 1e-12 * float(y.abs().max()) else 1.0
    return (x - (float(x[0]) - LOW * x_scale)) / x_scale, (y - float(y.mean())) / y_scale, x_scale


def unstretched(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, float]:
    """Points that are on d2l's scale already."""
    return x, y, 1.0


def as_they_are(samples: Samples) -> Stretched:
    """The samples on their own scale, for data made up on d2l's; thinned as well if there are too many."""
    x, y = samples_from(*samples)
    at = evenly(len(x), MOST_TRAINED)
    return Stretched(Samples(x[at], y[at]), 1.0)
