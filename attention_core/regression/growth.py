"""How the time of a prediction grows with the number of points: by every pair of a query and a key, and by sums."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import Samples, generate
from attention_core.kernels import KERNELS
from attention_core.pooling import predict_in_blocks
from attention_core.progress import pause
from attention_core.regression.estimator import Estimator
from attention_core.regression.local_linear import local_lines
from attention_core.regression.prediction import Predictions, with_ones
from attention_core.regression.sums.cells import COUNT, GaussianCells, cell_length
from attention_core.regression.sums.chebyshev import nodes

SIZES = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
MOST_PAIRED = 10_000  # points: with twice as many, all pairs would take seconds
PIECE = 2**21  # pairs: some hundredths of a second
AGAIN, LEAST = 5, 0.05  # a short time is measured so often at most, until all take so many seconds


def by_pairs(samples: Samples, estimator: Estimator) -> Tensor:
    """The prediction at every key, over every pair, in pieces between which it can be stopped."""
    way, found = local_lines if estimator.linear else predict_in_blocks, []
    for queries in samples.x.split(max(1, PIECE // len(samples.x))):
        found.append(way(queries, *samples, estimator.width, estimator.kernel))
        pause()
    return torch.cat(found)


def by_sums(samples: Samples, estimator: Estimator) -> Tensor:
    """The prediction at every key, by kernel sums."""
    widths = torch.tensor([estimator.width], dtype=torch.float64)
    return Predictions(samples, estimator.kernel).outputs(samples.x, widths, estimator.linear)[0]


WAYS: dict[str, Callable[[Samples, Estimator], Tensor]] = {"pairs": by_pairs, "sums": by_sums}


class Timed(NamedTuple):
    """How long one way takes for n predictions from n points."""

    way: str  # an id of WAYS
    n: int
    seconds: float  # of this thread's own work; the shortest of a few


def growth(estimator: Estimator, sizes: Sequence[int] = SIZES) -> Iterator[Timed]:
    """Yield what every way takes at every n, the smallest first; every pair is met up to MOST_PAIRED points alone."""
    done, whole = 0.0, float(sum(sizes))
    for n in sizes:
        samples = generate(n=n)
        for way, predicted in WAYS.items():
            if way != "pairs" or n <= MOST_PAIRED:
                yield Timed(way, n, _shortest(predicted, samples, estimator))
        done += n
        pause(done / whole)


def _shortest(predicted: Callable[[Samples, Estimator], Tensor], samples: Samples, estimator: Estimator) -> float:
    times: list[float] = []
    while len(times) < AGAIN and sum(times) < LEAST:
        begun = time.thread_time()
        predicted(samples, estimator)
        times.append(time.thread_time() - begun)
        pause()
    return min(times)


class Smooth(NamedTuple):
    """A sum of bumps over one cell, and what its values at a few nodes make of it."""

    x: Tensor  # (C,)
    sums: Tensor  # (C,): of the Gaussians of all keys
    bumps: Tensor  # (B, C): those of a few keys
    nodes: Tensor  # (COUNT,)
    at_nodes: Tensor  # (COUNT,)
    error: float  # the largest there is between the sum and what the nodes make of it, as a share of the sum


def smooth_sum(samples: Samples, width: float, bumps: int = 12, count: int = 201) -> Smooth:
    """The sum of Gaussians around the middle key over the cell it falls in, pair by pair, and by the cell's nodes."""
    x, length = samples.x, cell_length(width)
    left = float(x[len(x) // 2]) // length * length
    # A little inside, so that rounding puts no place into the next cell.
    at = left + length * torch.linspace(1e-9, 1 - 1e-9, count, dtype=torch.float64)
    ends = left + length * (nodes(COUNT) + 1) / 2
    cells = GaussianCells(x, with_ones(samples.y)[:, :1])
    cells.fill(length)
    widths = torch.tensor([width], dtype=torch.float64)
    found = torch.empty_like(at)
    for rows, sums in cells.sums(widths, (0,), at):
        found[rows] = sums[0, :, 0, 0]
    exact, at_nodes = (_sums(x, places, width) for places in (at, ends))
    near = x[((x > left - width) & (x < left + length + width)).nonzero().squeeze(1)]
    chosen = near[torch.linspace(0, len(near) - 1, min(bumps, len(near)), dtype=torch.float64).round().long()]
    shapes = KERNELS["gaussian"]((at - chosen[:, None]) / width).exp()
    return Smooth(at, exact, shapes, ends, at_nodes, ((found - exact).abs() / exact).max().item())


def _sums(keys: Tensor, places: Tensor, width: float) -> Tensor:
    """The sum of the Gaussians of all keys at every place, one after the other."""
    return torch.stack([KERNELS["gaussian"]((place - keys) / width).exp().sum() for place in places])
