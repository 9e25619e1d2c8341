"""The choice of a width: the leave-one-out error of every width, the width with the least, and rules of thumb."""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from attention_core.checks import InputError, check_width
from attention_core.data import Curve, Points, Samples, samples_from
from attention_core.kernels import kernel_named
from attention_core.regression.local_linear import tilt
from attention_core.regression.prediction import predict_points, worth_sums

Pool = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]  # scores, queries, keys, values -> outputs
GRID = 48
BLOCK = 2**17  # pairs times widths at once, 1 MB of float64; measured best of 2^14 to 2^18
GOLDEN = (math.sqrt(5) - 1) / 2
PRECISION = 1e-5  # relative, of the best width
# With more points than the first only some are left out: not more than the second, nor pairs than the third.
ALL_LEFT_OUT, SOME_LEFT_OUT, MOST_PAIRS = 5_000, 1_000, 10_000_000


def loo_losses(
    samples: Samples,
    widths: Tensor | Sequence[float],
    kernel: str = "gaussian",
    linear: bool = False,
    at: Tensor | None = None,
) -> Tensor:
    """Mean squared leave-one-out error of every width (W,): each point is predicted from all the others.

    A point that no other reaches is predicted by the mean of the others: without neighbours, that is all one knows.
    With `at`, positions in the order of x, only those points are left out and predicted; all others stay keys.
    """
    return _losses(samples, widths, kernel, linear, at, leave_out=True)


def training_losses(
    samples: Samples,
    widths: Tensor | Sequence[float],
    kernel: str = "gaussian",
    linear: bool = False,
    at: Tensor | None = None,
) -> Tensor:
    """Mean squared training error of every width (W,): each point is predicted from all points, itself included."""
    return _losses(samples, widths, kernel, linear, at, leave_out=False)


def _losses(
    samples: Samples,
    widths: Tensor | Sequence[float],
    kernel: str,
    linear: bool,
    at: Tensor | None,
    leave_out: bool,
) -> Tensor:
    x, y = samples_from(*samples)
    widths = check_width(torch.as_tensor(widths, dtype=torch.float64)).flatten()  # (W,)
    chosen = torch.arange(len(x)) if at is None else _checked_positions(at, len(x))
    found, pool = kernel_named(kernel), line_outputs if linear else None
    if worth_sums(len(chosen) * len(x), found):
        each = [predict_points(Samples(x, y), width, found, linear, leave_out)[chosen] for width in widths.tolist()]
        fallback = mean_of_others(y)[chosen]
        losses = [(output.where(output.isfinite(), fallback) - y[chosen]).square().mean() for output in each]
        return torch.stack(losses)
    return squared_errors((x, y), widths, chosen, found.log, found.support, pool, leave_out)


def squared_errors(
    points: Points,
    widths: Tensor,
    chosen: Tensor,
    log_kernel: Curve,
    support: float = math.inf,
    pool: Pool | None = None,
    leave_out: bool = True,
) -> Tensor:
    """Mean squared error of every width (W,) on the chosen points, each predicted from all the others, or from all."""
    x, y = points
    fallback = mean_of_others(y)  # (n,)
    losses = torch.zeros_like(widths)
    block = BLOCK if pool is None else BLOCK // 2  # tilting needs more memory at once, and all should stay in the cache
    for here in chosen.split(max(1, block // len(x))):
        # Chunks of widths as well: one huge call is slower than a plain loop, since it leaves the cache.
        together = max(1, block // (len(here) * len(x)))
        for chunk, loss in zip(widths.split(together), losses.split(together), strict=True):
            near = within(x, x[here], support * chunk.max())  # k keys
            scores = log_kernel((x[here, None] - x[near]) / chunk[:, None, None])  # (w, rows, k)
            if leave_out:
                scores[:, torch.arange(len(here)), here - near.start] = -math.inf  # no point attends to itself
            # (w, rows), NaN where no key is in reach; without the weights, an average is one softmax
            output = pool(scores, x[here], x[near], y[near]) if pool else _averages(scores, y[near])
            loss += (output.where(output.isfinite(), fallback[here]) - y[here]).square().sum(-1)
    return losses / len(chosen)


def mean_of_others(values: Tensor) -> Tensor:
    """For each value the mean of all others (n,): all one knows of a point without neighbours."""
    return (values.sum() - values) / (len(values) - 1)


def _averages(scores: Tensor, values: Tensor) -> Tensor:
    """What attention answers, written over its scores: fresh memory would cost more."""
    return torch.softmax(scores, -1, out=scores) @ values


def line_outputs(scores: Tensor, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """What local lines answer, without their weights."""
    return tilt(scores, queries, keys, values).output


def within(keys: Tensor, queries: Tensor, reach: Tensor) -> slice:
    """The sorted keys that any of these queries can reach, and a few more: half of the kernels end somewhere."""
    if reach.isinf():
        return slice(0, len(keys))
    first = torch.searchsorted(keys, queries.min() - 1.01 * reach)
    last = torch.searchsorted(keys, queries.max() + 1.01 * reach, right=True)  # right: equal keys, and itself, too
    return slice(int(first), int(last))


def _checked_positions(at: Tensor, n: int) -> Tensor:
    if at.ndim != 1 or not len(at) or at.is_floating_point() or not 0 <= int(at.min()) <= int(at.max()) < n:
        raise InputError(f"at must be a list of whole numbers from 0 to {n - 1:,}: the points to leave out.")
    return at


def evenly(n: int, most: int) -> Tensor:
    """Positions of at most so many of n points, evenly from the first to the last."""
    return torch.linspace(0, n - 1, min(n, most), dtype=torch.float64).round().long()


def some(n: int) -> Tensor:
    """Positions of enough of n points to judge a width by, evenly spaced: 1,000, and 200 when n = 50,000."""
    return evenly(n, min(SOME_LEFT_OUT, MOST_PAIRS // n))


def left_out(n: int) -> Tensor | None:
    """Which of n points to leave out: all of them (None) up to 5,000, else `some`."""
    return None if n <= ALL_LEFT_OUT else some(n)


def width_grid(samples: Samples, count: int = GRID) -> Tensor:
    """Widths worth trying, evenly in log: from a fifth of the mean gap between keys to four times their range."""
    span = float(samples.x.max() - samples.x.min())
    low, high = math.log(span / len(samples.x) / 5), math.log(4 * span)
    return torch.linspace(low, high, count, dtype=torch.float64).exp()


def best_width(samples: Samples, kernel: str = "gaussian", linear: bool = False) -> float:
    """The width with the smallest leave-one-out error: the best of a grid, then golden section around it.

    With more than 5,000 points the error is that of at most 1,000 evenly spaced ones, each predicted from all others.
    """
    samples = samples_from(*samples)
    at = left_out(len(samples.x))
    return lowest_width(width_grid(samples), lambda widths: loo_losses(samples, widths, kernel, linear, at))


def lowest_width(grid: Tensor, losses: Callable[[Tensor], Tensor]) -> float:
    """The width with the least loss: the best of a grid, then golden section around it."""

    def loss(log_width: float) -> float:
        return losses(torch.tensor([math.exp(log_width)], dtype=torch.float64)).item()

    best, last = int(losses(grid).argmin()), len(grid) - 1
    low, high = (float(grid[place].log()) for place in (max(best - 1, 0), min(best + 1, last)))
    return math.exp(golden_section(loss, low, high))


def least_loo_width(points: Points, log_kernel: Curve, pool: Pool | None = None) -> float:
    """The width with the smallest leave-one-out error of all points, for a kernel without an end."""
    every = torch.arange(len(points[0]))
    return lowest_width(
        width_grid(Samples(*points)), lambda widths: squared_errors(points, widths, every, log_kernel, pool=pool)
    )


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
