"""The loss over w, with and without leaving each point out, and its lowest point."""

import math
from typing import NamedTuple

from torch import Tensor

from attention_core.checks import check_choice
from attention_core.data import Samples, samples_from
from attention_core.learning.gradient import SquaredError
from attention_core.learning.training import LOSSES
from attention_core.progress import part
from attention_core.regression.frames import widths_of
from attention_core.regression.selection import PointErrors, width_grid

CURVE, SEARCHED = 97, 49  # values of w: of the drawn curve, and to find its floor
PRECISION = 1e-6  # relative, of the best w


class Floor(NamedTuple):
    """The lowest point of the leave-one-out curve."""

    w: float  # 1 / best_width; 0 where no attention beats the plain average of the others
    loss: float


class Valley(NamedTuple):
    """The training loss over growing w (W,), both ways, and the leave-one-out optimum."""

    w: Tensor
    leave_one_out: Tensor  # (W,)
    with_itself: Tensor  # (W,): the same when every point may attend to itself too
    best: Floor


def loss_at(samples: Samples, w: float, leave_one_out: bool = True, loss: str = "sum") -> float:
    """The exact training loss at one w: what `train` would report there."""
    samples = samples_from(*samples)
    return _share(samples, loss) * SquaredError(samples, leave_one_out)(w)[0]


def w_grid(samples: Samples, count: int = CURVE) -> Tensor:
    """Values of w, growing evenly in log: 1 / width of the widths worth trying."""
    return 1 / width_grid(samples, count).flip(0)


def valley(samples: Samples, loss: str = "sum", w: Tensor | None = None) -> Valley:
    """The loss of every w, by default of `w_grid`, and the floor of the leave-one-out curve."""
    samples = samples_from(*samples)
    scale = _share(samples, loss) * len(samples.x)
    if w is None:
        w = w_grid(samples)
        left_out, with_itself = PointErrors(samples)(1 / w)
        best = _floor(samples, loss, w, left_out)
    else:
        with part(0.0, 0.4):
            best = floor(samples, loss)
        with part(0.4, 1.0):
            left_out, with_itself = PointErrors(samples)(widths_of(w, samples))
    return Valley(w, scale * left_out, scale * with_itself, best)


def floor(samples: Samples, loss: str = "sum") -> Floor:
    """The w with the least leave-one-out loss: the best of a grid, then where the exact slope is 0."""
    samples = samples_from(*samples)
    grid = w_grid(samples, SEARCHED)
    return _floor(samples, loss, grid, PointErrors(samples)(1 / grid)[0])


def _floor(samples: Samples, loss: str, grid: Tensor, losses: Tensor) -> Floor:
    """The floor near the lowest loss of a grid."""
    share, squared_error, lowest = _share(samples, loss), SquaredError(samples), int(losses.argmin())
    if lowest == 0 and (flat := squared_error(0.0)[0]) <= squared_error(float(grid[0]))[0]:
        return Floor(0.0, share * flat)
    low, high = float(grid[max(lowest - 1, 0)]), float(grid[min(lowest + 1, len(grid) - 1)])
    w = _level(squared_error, low, high)
    return Floor(w, share * squared_error(w)[0])


def _level(squared_error: SquaredError, low: float, high: float) -> float:
    """Where the slope turns from down to up between low and high, or an end: secants in log w, halving if they miss."""

    def slope(log_w: float) -> float:
        return math.exp(log_w) * squared_error(math.exp(log_w))[1]

    left, right = math.log(low), math.log(high)
    before, here = left, right
    slope_before, slope_here = slope(before), slope(here)
    if slope_before >= 0 or slope_here <= 0:
        return low if slope_before >= 0 else high
    while abs(here - before) > PRECISION and slope_here != slope_before:
        candidate = here - slope_here * (here - before) / (slope_here - slope_before)
        if not left < candidate < right:
            candidate = (left + right) / 2
        before, here, slope_before, slope_here = here, candidate, slope_here, slope(candidate)
        left, right = (here, right) if slope_here < 0 else (left, here)
    return math.exp(here)


def _share(samples: Samples, loss: str) -> float:
    return LOSSES[check_choice("loss", loss, LOSSES)](len(samples.x))
