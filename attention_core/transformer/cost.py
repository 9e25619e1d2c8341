"""What a longer sequence costs: self-attention, a recurrent layer and a convolution, counted and timed.

For n symbols of width d, and a convolution that sees k of them at a time:

| layer | multiplications | steps one after another | longest way between two symbols |
|---|---|---|---|
| self-attention | n^2 d | 1 | 1 |
| recurrent | n d^2 | n | n |
| convolution | k n d^2 | 1 | n / k |

The table leaves out constant factors; `multiplications` has them, so that it can be held against a clock.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from attention_core.checks import InputError, check_number, check_whole
from attention_core.transformer.multihead import MultiHeadAttention

LENGTHS = (16, 32, 64, 128, 256, 512, 1024)
LONGEST, WIDEST, LARGEST_KERNEL = 2048, 256, 15
ROUNDS = 30  # more do not make the best times any better

Run = Callable[[Tensor], Tensor]  # rows (1, n, d) -> rows (1, n, d)


@dataclass(frozen=True)
class Layer:
    """A kind of layer: what it costs for length n, width d and kernel k, and how it is built.

    `counts`, a function of a module, gives four numbers of n, d and k: the multiplications in matrix products,
    projections and gates included; the order, which the table tells; the steps that wait for each other; and the
    longest path of a signal between two symbols.
    """

    label: str
    formula: str  # of the order, in LaTeX
    counts: Callable[..., tuple[int, int, int, int]]
    build: Callable[[int, int], Run]  # from d and k


class Timing(NamedTuple):
    """The best time so far of one layer at one length, in seconds of one processor's own work.

    The processor's time, not the wall clock's: other programs on the machine would add to the latter.
    """

    layer: str  # name in LAYERS
    length: int
    seconds: float
    runs: int  # that it is the best of


def attention_counts(n: int, d: int, k: int) -> tuple[int, int, int, int]:
    """Self-attention: the scores and the averages, and four linear maps."""
    return 2 * n * n * d + 4 * n * d * d, n * n * d, 1, 1


def recurrent_counts(n: int, d: int, k: int) -> tuple[int, int, int, int]:
    """A recurrent layer: three gates, each from the input and from the state."""
    return 6 * n * d * d, n * d * d, n, n


def convolution_counts(n: int, d: int, k: int) -> tuple[int, int, int, int]:
    """A convolution that sees k symbols at a time; its path is layers on top of each other, rounded up."""
    return k * n * d * d, k * n * d * d, 1, -(-n // k)


def _attention(width: int, kernel: int) -> Run:
    layer = MultiHeadAttention(width, 1)
    return lambda rows: layer(rows, rows, rows).output


def _recurrent(width: int, kernel: int) -> Run:
    layer = nn.GRU(width, width, batch_first=True)
    return lambda rows: layer(rows)[0]


def _convolution(width: int, kernel: int) -> Run:
    layer = nn.Conv1d(width, width, kernel, padding="same")
    return lambda rows: layer(rows.mT).mT


LAYERS: dict[str, Layer] = {
    "attention": Layer("Self-attention", r"n^2 d", attention_counts, _attention),
    "recurrent": Layer("Recurrent (GRU)", r"n d^2", recurrent_counts, _recurrent),
    "convolution": Layer("Convolution", r"k n d^2", convolution_counts, _convolution),
}


def measure(
    lengths: Sequence[int] = LENGTHS, width: int = 64, kernel: int = 3, budget: float = 2.0
) -> Iterator[Timing]:
    """Yield a Timing after every run, round after round, until so many seconds are used; what the caller does in
    between does not count. A run that would probably not fit any more is left out, so a long one may be missing."""
    check_number("budget", budget, 0.01, 10)
    width, kernel = _checked(width, kernel)
    for length in lengths:
        check_whole("each length", length, 1, LONGEST)
    return _timings(
        sorted(lengths), {name: layer.build(width, kernel) for name, layer in LAYERS.items()}, width, budget
    )


def _timings(lengths: list[int], layers: dict[str, Run], width: int, budget: float) -> Iterator[Timing]:
    best: dict[tuple[str, int], float] = {}
    used = sum(_seconds(run, lengths[0], width) for run in layers.values()) if lengths else 0.0  # the first wakes it up
    for runs in range(1, ROUNDS + 1):
        for length in lengths:
            for name, run in layers.items():
                if used + _expected(best, name, length) > budget:
                    continue
                begun = time.perf_counter()
                seconds = _seconds(run, length, width)
                used += time.perf_counter() - begun
                best[name, length] = min(seconds, best.get((name, length), seconds))
                yield Timing(name, length, best[name, length], runs)


def _expected(best: dict[tuple[str, int], float], name: str, length: int) -> float:
    """About how long the run will take: as before, or by the square of the length from the longest one so far."""
    if (name, length) in best:
        return best[name, length]
    known = max((n for layer, n in best if layer == name), default=0)
    return best[name, known] * (length / known) ** 2 if known else 0.0


def _seconds(run: Run, length: int, width: int) -> float:
    # Not held open around the yield above: it would switch off the gradients of whoever is looking on.
    with torch.no_grad():
        rows = torch.randn(1, length, width, generator=torch.Generator().manual_seed(length))
        start = time.thread_time()
        run(rows)
        return time.thread_time() - start


def _checked(width: int, kernel: int) -> tuple[int, int]:
    check_whole("width", width, 1, WIDEST)
    if not check_whole("kernel", kernel, 1, LARGEST_KERNEL) % 2:
        raise InputError(f"kernel must be odd, as many symbols on either side, not {kernel}.")
    return width, kernel
