"""The loss over w: the valley that gradient descent walks in, with and without leaving each point out."""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import check_choice
from attention_core.data import Samples, samples_from
from attention_core.learning.gradient import SquaredError
from attention_core.learning.training import LOSSES
from attention_core.regression.selection import evenly, width_grid

# Values of w: of the drawn curve, and to find its floor; with FEW points or less, and with more.
CURVE, GLANCED = (160, 64), (48, 24)
FEW = 1_000  # up to so many points every one of them is left out
PAIRS = 80_000_000  # about 0.4 s; beyond FEW points only so many pairs are looked at, over all w
BLOCK = 2**17  # pairs times w at once, 1 MB of float64
PRECISION = 1e-6  # relative, of the best w
KNOTS = 5  # values of w at which an estimated curve is exact, besides the floor


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
    counted: int  # points that the curves were measured at; fewer than n only with more than 1,000


def loss_at(samples: Samples, w: float, leave_one_out: bool = True, loss: str = "sum") -> float:
    """The exact training loss at one w: what `train` would report there."""
    samples = samples_from(*samples)
    return _share(samples, loss) * SquaredError(samples, leave_one_out)(w)[0]


def w_grid(samples: Samples, count: int = CURVE[0]) -> Tensor:
    """Values of w worth looking at, growing evenly in log: 1 / width of the widths worth trying."""
    return 1 / width_grid(samples, count).flip(0)


def valley(samples: Samples, loss: str = "sum", w: Tensor | None = None) -> Valley:
    """The loss of every w, by default of `w_grid`, and the floor of the leave-one-out curve.

    With more than 1,000 points the curves are estimated: measured at some of them, and made exact at six values of w.
    """
    samples = samples_from(*samples)
    n, share, best = len(samples.x), _share(samples, loss), floor(samples, loss)
    w = w_grid(samples, CURVE[n > FEW]) if w is None else torch.as_tensor(w, dtype=torch.float64)
    at = _measured_at(n, len(w))
    curves = both_losses(samples, w, at)  # (2, W)
    if len(at) < n:
        curves = curves * _correction(samples, w, at, best.w)
    return Valley(w, share * curves[0], share * curves[1], best, len(at))


def both_losses(samples: Samples, w: Tensor, at: Tensor) -> Tensor:
    """Sums of squared errors (2, W) over the points at these positions: left out, and attending to themselves too.

    One softmax serves both: with Z = sum of exp(score) over the others, oneself adds exp(0) = 1 and one's own value,
    so that the error shrinks by the factor Z / (1 + Z).
    """
    x, y = samples
    squares = w.square().clamp(min=1e-300)  # as good as 0, but -inf * 0 would be NaN
    losses = torch.zeros(2, len(w), dtype=torch.float64)
    for here in at.split(max(1, BLOCK // len(x))):
        scores = (x[here, None] - x).square_().mul_(-0.5)  # (rows, n) at w = 1
        scores[torch.arange(len(here)), here] = -math.inf
        nearest = scores.max(-1, keepdim=True)
        together = max(1, BLOCK // scores.numel())
        for square, sums in zip(squares.split(together), losses.split(together, 1), strict=True):
            weights = scores * square[:, None, None]  # (w, rows, n)
            torch.softmax(weights, -1, out=weights)
            error = (weights @ y - y[here]).square()  # (w, rows)
            largest = weights.gather(-1, nearest.indices.expand(len(square), -1, -1))  # (w, rows, 1)
            others = ((nearest.values * square[:, None, None]).exp() / largest).squeeze(-1)  # (w, rows): Z
            sums[0] += error.sum(-1)
            sums[1] += (error * (others / (1 + others)).square()).sum(-1)
    return losses


def _correction(samples: Samples, w: Tensor, at: Tensor, best: float) -> Tensor:
    """By how much the losses at some points must grow to be those of all (2, W): exact at the knots, linear between."""
    knots = torch.cat([w[evenly(len(w), KNOTS)], torch.tensor([best], dtype=torch.float64)]).unique()  # sorted
    ratios = both_losses(samples, knots, torch.arange(len(samples.x))) / both_losses(samples, knots, at)  # (2, k)
    right = torch.searchsorted(knots, w).clamp(1, len(knots) - 1)
    share = (w - knots[right - 1]) / (knots[right] - knots[right - 1])  # (W,)
    return torch.lerp(ratios[:, right - 1], ratios[:, right], share)


def floor(samples: Samples, loss: str = "sum") -> Floor:
    """The w with the least leave-one-out loss: the best of a grid, then where the exact slope is 0."""
    samples = samples_from(*samples)
    n, share = len(samples.x), _share(samples, loss)
    count = GLANCED[n > FEW]
    grid = w_grid(samples, count)
    lowest = int(both_losses(samples, grid, _measured_at(n, count))[0].argmin())
    squared_error = SquaredError(samples)
    if lowest == 0 and (flat := squared_error(0.0)[0]) <= squared_error(float(grid[0]))[0]:
        return Floor(0.0, share * flat)
    low, high = float(grid[max(lowest - 1, 0)]), float(grid[min(lowest + 1, count - 1)])
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
        coming = here - slope_here * (here - before) / (slope_here - slope_before)
        if not left < coming < right:
            coming = (left + right) / 2
        before, here, slope_before, slope_here = here, coming, slope_here, slope(coming)
        left, right = (here, right) if slope_here < 0 else (left, here)
    return math.exp(here)


def _measured_at(n: int, count: int) -> Tensor:
    """Positions to leave out: all, or with more than 1,000 points as many as make PAIRS pairs over all w."""
    return torch.arange(n) if n <= FEW else evenly(n, max(100, PAIRS // (n * count)))


def _share(samples: Samples, loss: str) -> float:
    return LOSSES[check_choice("loss", loss, LOSSES)](len(samples.x))
