"""The choice of a width: the leave-one-out error of every width, the width with the least, and rules of thumb."""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from attention_core.checks import check_width
from attention_core.data import Curve, Points, Samples, samples_from
from attention_core.kernels import kernel_named
from attention_core.progress import part, pause
from attention_core.regression.local_linear import tilt
from attention_core.regression.prediction import POWERS, averages, heights, with_itself, with_ones
from attention_core.regression.sums.kernel_sums import KernelSums, Part

Pool = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]  # scores, queries, keys, values -> outputs
GRID = 48
BLOCK = 2**17  # pairs times widths at once, 1 MB of float64; measured best of 2^14 to 2^18
GOLDEN = (math.sqrt(5) - 1) / 2
PRECISION = 1e-5  # relative, of the best width
GOLDEN_STEPS = 25  # about so many widths it takes to close in on the best one


def loo_losses(
    samples: Samples, widths: Tensor | Sequence[float], kernel: str = "gaussian", linear: bool = False
) -> Tensor:
    """Mean squared leave-one-out error of every width (W,): each point is predicted from all the others.

    A point that no other reaches is predicted by the mean of the others: without neighbours, that is all one knows.
    """
    return PointErrors(samples, kernel, linear)(widths)[0]


def training_losses(
    samples: Samples, widths: Tensor | Sequence[float], kernel: str = "gaussian", linear: bool = False
) -> Tensor:
    """Mean squared training error of every width (W,): each point is predicted from all points, itself included."""
    return PointErrors(samples, kernel, linear)(widths)[1]


class PointErrors:
    """The mean squared errors (2, W) at the points themselves: each left out, and each included."""

    def __init__(self, samples: Samples, kernel: str = "gaussian", linear: bool = False) -> None:
        x, y = samples_from(*samples)
        self.values, self.linear = y - y.mean(), linear
        self.fallback = mean_of_others(self.values)
        self.sums = KernelSums(x, with_ones(self.values), kernel_named(kernel))

    def __call__(self, widths: Tensor | Sequence[float]) -> Tensor:
        widths = check_width(torch.as_tensor(widths, dtype=torch.float64)).flatten()  # (W,)
        losses, done = torch.zeros(2, len(widths), dtype=torch.float64), 0
        for found in self.sums.parts(widths, POWERS[self.linear]):
            for place, errors in enumerate(self._errors(found)):
                losses[place, found.widths] += errors.square().sum(1)
            done += found.own.numel()
            pause(done / (len(widths) * len(self.values)))
        return losses / len(self.values)

    def errors(self, widths: Tensor) -> Tensor:
        """What is predicted less what is there at every point (2, W, n), without the point and with it."""
        errors = torch.empty(2, len(widths), len(self.values), dtype=torch.float64)
        for found in self.sums.parts(widths, POWERS[self.linear]):
            errors[:, found.widths[:, None], found.rows] = torch.stack(self._errors(found))
        return errors

    def _errors(self, found: Part) -> tuple[Tensor, Tensor]:
        """What is predicted less what is there, without each point and with it (f, m).

        A point weighs 1 in its own average, so that the error shrinks by the weight of the others over that of all.
        """
        values, others = self.values[found.rows], found.sums[:, :, 0, 0]
        output = heights(found) if self.linear else averages(found)
        left_out = output.where(output.isfinite(), self.fallback[found.rows]) - values
        if not self.linear:
            return left_out, left_out * (others / (others + found.own))
        fitted = heights(with_itself(found, self.values)) - values
        return left_out, fitted.where(found.own.isfinite() & (others > 0), 0.0)


def squared_errors(points: Points, widths: Tensor, log_kernel: Curve, pool: Pool | None = None) -> Tensor:
    """The same leave-one-out errors (W,) of few points, pair by pair, for scripts to take home."""
    x, y = points
    fallback = mean_of_others(y)  # (n,)
    losses = torch.zeros_like(widths)
    for here in torch.arange(len(x)).split(max(1, BLOCK // len(x))):
        # Chunks of widths as well: one huge call is slower than a plain loop, since it leaves the cache.
        together = max(1, BLOCK // (len(here) * len(x)))
        for chunk, loss in zip(widths.split(together), losses.split(together), strict=True):
            scores = log_kernel((x[here, None] - x) / chunk[:, None, None])  # (w, rows, n)
            scores[:, torch.arange(len(here)), here] = -math.inf  # no point attends to itself
            output = pool(scores, x[here], x, y) if pool else scores.softmax(-1) @ y
            loss += (output.where(output.isfinite(), fallback[here]) - y[here]).square().sum(-1)
    return losses / len(x)


def mean_of_others(values: Tensor) -> Tensor:
    """For each value the mean of all others (n,): all one knows of a point without neighbours."""
    return (values.sum() - values) / (len(values) - 1)


def line_outputs(scores: Tensor, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """What local lines answer, without their weights."""
    return tilt(scores, queries, keys, values).output


def evenly(n: int, most: int) -> Tensor:
    """Positions of at most so many of n points, evenly from the first to the last."""
    return torch.linspace(0, n - 1, min(n, most), dtype=torch.float64).round().long()


def width_grid(samples: Samples, count: int = GRID) -> Tensor:
    """Widths worth trying, evenly in log: from a fifth of the mean gap between keys to four times their range."""
    span = float(samples.x.max() - samples.x.min())
    low, high = math.log(span / len(samples.x) / 5), math.log(4 * span)
    return torch.linspace(low, high, count, dtype=torch.float64).exp()


def best_width(samples: Samples, kernel: str = "gaussian", linear: bool = False) -> float:
    """The width with the smallest leave-one-out error: the best of a grid, then golden section around it."""
    errors, grid, tried = PointErrors(samples, kernel, linear), width_grid(samples), 0

    def losses(widths: Tensor) -> Tensor:
        nonlocal tried
        before, tried = tried, tried + len(widths)
        with part(before / (GRID + GOLDEN_STEPS), tried / (GRID + GOLDEN_STEPS)):
            return errors(widths)[0]

    return lowest_width(grid, losses)


def lowest_width(grid: Tensor, losses: Callable[[Tensor], Tensor]) -> float:
    """The width with the least loss: the best of a grid, then golden section around it."""

    def loss(log_width: float) -> float:
        return losses(torch.tensor([math.exp(log_width)], dtype=torch.float64)).item()

    best, last = int(losses(grid).argmin()), len(grid) - 1
    low, high = (float(grid[place].log()) for place in (max(best - 1, 0), min(best + 1, last)))
    return math.exp(golden_section(loss, low, high))


def least_loo_width(points: Points, log_kernel: Curve, pool: Pool | None = None) -> float:
    """The width with the smallest leave-one-out error of few points, pair by pair."""
    return lowest_width(width_grid(Samples(*points)), lambda widths: squared_errors(points, widths, log_kernel, pool))


def golden_section(loss: Callable[[float], float], low: float, high: float) -> float:
    """Close in on a minimum between low and high, keeping the golden share of the interval at every step."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = loss(left), loss(right)
    while high - low > PRECISION:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = loss(right)
    return (low + high) / 2


def silverman_width(samples: Samples) -> float:
    """Silverman's rule of thumb, 0.9 s n^(-1/5), where s is the smaller of the two usual measures of spread."""
    return 0.9 * _spread(samples.x) / math.pow(len(samples.x), 0.2)


def scott_width(samples: Samples) -> float:
    """Scott's rule of thumb, 1.059 s n^(-1/5)."""
    return 1.059 * _spread(samples.x) / math.pow(len(samples.x), 0.2)


def _spread(x: Tensor) -> float:
    """The smaller of the standard deviation and the interquartile range over 1.349 (the latter unless it is 0)."""
    deviation = float(x.std())
    quartiles = float(x.quantile(0.75) - x.quantile(0.25)) / 1.349
    return min(deviation, quartiles) if quartiles > 0 else deviation
