"""Measured data come in francs and milliseconds, where a learning rate of 0.1 means nothing: train on d2l's scale."""

import math
from typing import NamedTuple

from attention_core.checks import check_choice
from attention_core.data import HIGH, LOW, Samples, samples_from
from attention_core.learning.training import LOSSES
from attention_core.regression.selection import evenly

MOST_TRAINED = 5_000  # points of a training run; more are thinned evenly
USUAL, SPREAD = 50, 1.11  # d2l's points: so many, with this standard deviation of y


class Stretched(NamedTuple):
    """Samples on d2l's scale, x over [0, 5], and how to get back to their own units."""

    samples: Samples
    x_scale: float  # own units of x to 1 on d2l's scale
    y_scale: float

    def w_back(self, w: float) -> float:
        """The w that means the same on the data's own x: w / scale, so that (q - k) w is unchanged."""
        return w / self.x_scale


def stretched(samples: Samples, loss: str = "sum") -> Stretched:
    """Map x linearly onto [0, 5] and y to mean 0 and a spread at which d2l's learning rates do what they do there.

    A sum grows with the number of points, so more of them get less spread: the loss is as large as that of 50.
    """
    kept = _thinned(samples)
    n, share = len(kept.x), LOSSES[check_choice("loss", loss, LOSSES)]
    spread = SPREAD * math.sqrt(share(USUAL) * USUAL / (share(n) * n))
    x_scale = (float(kept.x[-1]) - float(kept.x[0])) / (HIGH - LOW)
    y_scale = float(kept.y.std(correction=0)) / spread
    # y that are all equal, but for rounding, have no spread to go by.
    y_scale = y_scale if y_scale > 1e-12 * float(kept.y.abs().max()) else 1.0
    x_shift, y_shift = float(kept.x[0]) - LOW * x_scale, float(kept.y.mean())
    return Stretched(Samples((kept.x - x_shift) / x_scale, (kept.y - y_shift) / y_scale), x_scale, y_scale)


def as_they_are(samples: Samples) -> Stretched:
    """The samples on their own scale, for data made up on d2l's; thinned as well if there are too many."""
    return Stretched(_thinned(samples), 1.0, 1.0)


def _thinned(samples: Samples) -> Samples:
    x, y = samples_from(*samples)
    at = evenly(len(x), MOST_TRAINED)
    return Samples(x[at], y[at])
