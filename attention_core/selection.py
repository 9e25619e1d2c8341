"""How wide should attention be? Leave one point out, predict it from the others, and pick the best width."""

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from attention_core.checks import check_width
from attention_core.data import Samples, samples_from
from attention_core.kernels import kernel_named
from attention_core.local_linear import tilt
from attention_core.pooling import BLOCK, Pooled, attend

GRID = 48
GOLDEN = (math.sqrt(5) - 1) / 2
PRECISION = 1e-5  # relative, of the best width


def loo_losses(
    samples: Samples, widths: Tensor | Sequence[float], kernel: str = "gaussian", linear: bool = False
) -> Tensor:
    """Mean squared leave-one-out error of every width (W,): each point is predicted from all the others.

    A point that no other reaches is predicted by the mean of the others: without neighbours, that is all one knows.
    """
    x, y = samples_from(*samples)
    widths = check_width(torch.as_tensor(widths, dtype=torch.float64)).flatten()  # (W,)
    log_kernel, pool = kernel_named(kernel), _pool(linear)
    fallback = (y.sum() - y) / (len(y) - 1)  # (n,)
    rows = max(1, min(len(x), BLOCK // len(x)))
    losses = torch.zeros_like(widths)
    for start in range(0, len(x), rows):
        here = slice(start, start + rows)
        distance = x[here, None] - x  # (rows, n)
        # Chunks of widths as well: one huge call is slower than a plain loop, since it leaves the cache.
        for chunk, loss in zip(*(t.split(max(1, BLOCK // distance.numel())) for t in (widths, losses)), strict=True):
            scores = log_kernel(distance / chunk[:, None, None])  # (w, rows, n)
            scores.diagonal(start, -2, -1).fill_(-math.inf)  # nobody attends to itself
            output = pool(scores, x[here], x, y).output  # (w, rows)
            loss += (output.where(output.isfinite(), fallback[here]) - y[here]).square().sum(-1)
    return losses / len(x)


def _pool(linear: bool) -> Callable[[Tensor, Tensor, Tensor, Tensor], Pooled]:
    return tilt if linear else lambda scores, queries, keys, values: attend(scores, values)


def width_grid(samples: Samples, count: int = GRID) -> Tensor:
    """Widths worth trying, evenly in log: from a fifth of the mean gap between keys to four times their range."""
    span = float(samples.x.max() - samples.x.min())
    low, high = math.log(span / len(samples.x) / 5), math.log(4 * span)
    return torch.linspace(low, high, count, dtype=torch.float64).exp()


def best_width(samples: Samples, kernel: str = "gaussian", linear: bool = False) -> float:
    """The width with the smallest leave-one-out error: the best of a grid, then golden section around it."""
    samples = samples_from(*samples)
    grid = width_grid(samples).log()

    def loss(log_width: float) -> float:
        return float(loo_losses(samples, [math.exp(log_width)], kernel, linear))

    best = int(loo_losses(samples, grid.exp(), kernel, linear).argmin())
    low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, GRID - 1)])
    return math.exp(golden_section(loss, low, high))


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
