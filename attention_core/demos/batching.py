"""Batch matrix multiplication: n products of matrices in one call, explained one number at a time."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import InputError, check_number, check_whole
from attention_core.pooling import Pooled, attend

LARGEST = 6  # of n, a, b and c in the picture
HIGHEST = 4  # entries are 0 to 4, so that no sum has more than two digits
COUNTS = (1, 4, 16, 64, 256, 1024)  # matrices in a race
MOST_RACED, LARGEST_RACED = 4096, 64
SECONDS, FEWEST_RUNS, MOST_RUNS = 0.08, 7, 200  # for one measurement: a busy machine may well disturb the first few


def example(n: int, a: int, b: int, c: int, second_b: int | None = None) -> tuple[Tensor, Tensor]:
    """Small whole numbers, (n, a, b) and (n, b, c); a smaller example is a corner of a larger one."""
    for name, size in (("n", n), ("a", a), ("b", b), ("c", c)):
        check_whole(name, size, 1, LARGEST)
    rows = b if second_b is None else check_whole("rows of the second", second_b, 1, LARGEST)
    generator = torch.Generator().manual_seed(3)
    first, second = torch.randint(0, HIGHEST + 1, (2, LARGEST, LARGEST, LARGEST), generator=generator).double()
    return first[:n, :a, :b], second[:n, :rows, :c]


def terms(first: Tensor, second: Tensor) -> Tensor:
    """Every product before it is summed: first[n, a, b] * second[n, b, c] as (n, a, c, b)."""
    if fault := why_not(first.shape, second.shape):
        raise InputError(fault)
    return torch.einsum("nab,nbc->nacb", first, second)


def batch_product(first: Tensor, second: Tensor) -> Tensor:
    """(n, a, b) @ (n, b, c) -> (n, a, c): entry [n, a, c] is sum_b first[n, a, b] * second[n, b, c]."""
    return terms(first, second).sum(-1)


def why_not(first: Sequence[int], second: Sequence[int]) -> str | None:
    """Why two shapes cannot be multiplied in a batch, in plain words; None when they can."""
    for name, shape in (("first", first), ("second", second)):
        if len(shape) != 3:
            return f"A batch has three sizes (n, rows, columns), but the {name} has shape {tuple(shape)}."
    if first[0] != second[0]:
        return f"Matrices meet in pairs, but there are {first[0]} in the first batch and {second[0]} in the second."
    if first[2] != second[1]:
        return (
            f"Each row of the first holds {_numbers(first[2])}, but each column of the second holds "
            f"{_numbers(second[1])}: they must pair off one to one."
        )
    return None


def _numbers(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"


def complaint(first: Tensor, second: Tensor) -> str | None:
    """What torch.bmm itself says about two tensors that it cannot multiply; None when it can."""
    try:
        torch.bmm(first, second)
    except RuntimeError as fault:
        return str(fault)
    return None


def weighted_averages(tilt: float = 0.0) -> tuple[Pooled, Tensor]:
    """Two averages of ten values as one batch of one-row products: (2, 1, 10) @ (2, 10, 1) -> (2, 1, 1).

    Without a tilt every weight is 0.1, and 0..9 and 10..19 average to 4.5 and 14.5.
    """
    tilt = check_number("tilt", tilt, -2, 2)
    values = torch.arange(20, dtype=torch.float64).reshape(2, 10, 1)
    scores = tilt * torch.arange(10, dtype=torch.float64).expand(2, 1, 10)
    return attend(scores, values), values


class Race(NamedTuple):
    """How long n products of size x size matrices took, both ways."""

    n: int
    size: int
    loop: float  # seconds for n calls of mm
    batched: float  # seconds for one bmm

    @property
    def ratio(self) -> float:
        """How many times as long the loop took."""
        return self.loop / self.batched


def race(n: int, size: int) -> Race:
    """Time a loop of mm against one bmm over the same n pairs of size x size matrices."""
    check_whole("n", n, 1, MOST_RACED)
    check_whole("size", size, 1, LARGEST_RACED)
    generator = torch.Generator().manual_seed(0)
    first, second = torch.randn(2, n, size, size, generator=generator)
    return Race(n, size, _seconds(lambda: looped(first, second)), _seconds(lambda: torch.bmm(first, second)))


def races(size: int, counts: Sequence[int] = COUNTS) -> Iterator[Race]:
    """A race for every number of matrices, one at a time, so that a page can show progress."""
    for n in counts:
        yield race(n, size)


def looped(first: Tensor, second: Tensor) -> Tensor:
    """The batch product one pair at a time."""
    return torch.stack([torch.mm(a, b) for a, b in zip(first, second, strict=True)])


def _seconds(work: Callable[[], object]) -> float:
    """The quickest of some runs after a first one to warm up: what else the machine does only ever adds time."""
    work()
    best, runs, end = float("inf"), 0, time.perf_counter() + SECONDS
    while runs < MOST_RUNS and (runs < FEWEST_RUNS or time.perf_counter() < end):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
        runs += 1
    return max(best, 1e-9)  # a clock may stand still
