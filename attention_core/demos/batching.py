"""Batch matrix multiplication: n products of matrices in one call, explained one number at a time."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import InputError, check_whole

LARGEST = 6  # of n, a, b and c
COUNTS = (1, 4, 16, 64, 256, 1024)  # matrices in a race
MOST_RACED, LARGEST_RACED = 4096, 64
SECONDS, FEWEST_RUNS, MOST_RUNS = 0.08, 7, 200  # for one measurement: a busy machine may well disturb the first few

Shape = tuple[int, int, int]  # n, rows, columns
Batches = tuple[Tensor, Tensor]  # what is multiplied


def products(batches: Batches, n: int, row: int, column: int) -> dict[str, Tensor]:
    """Many small products in one call, and one number of them: a row of the first times a column of the second."""
    first, second = batches
    product = torch.bmm(first, second)  # (n, a, b) @ (n, b, c) -> (n, a, c)
    return {"first": first, "second": second, "product": product, "number": first[n, row] @ second[n, :, column]}


def weighted_averages(shown: dict[str, Tensor], tilt: float) -> dict[str, Tensor]:
    """Ten values averaged under ten weights, twice, in one batch; the scores of the weights are tilt times position."""
    values = torch.arange(20, dtype=torch.float64).reshape(2, 10, 1)
    weights = (tilt * torch.arange(10, dtype=torch.float64)).softmax(-1).expand(2, 1, 10)  # without a tilt all are 0.1
    shown |= {"values": values, "weights": weights, "averages": torch.bmm(weights, values)}
    return shown


def whole_numbers() -> Tensor:
    """Two batches of small whole numbers, as large as they may be."""
    return torch.randint(5, (2, 6, 6, 6), generator=torch.Generator().manual_seed(3)).double()


def corners(whole: Tensor, n: int, a: int, b: int, rows: int, c: int) -> Batches:
    """(n, a, b) and (n, rows, c): a smaller batch is a corner of a larger one."""
    return whole[0, :n, :a, :b], whole[1, :n, :rows, :c]


def example(n: int, a: int, b: int, c: int, second_b: int | None = None) -> Batches:
    """Small whole numbers, (n, a, b) and (n, b, c)."""
    for name, size in (("n", n), ("a", a), ("b", b), ("c", c)):
        check_whole(name, size, 1, LARGEST)
    rows = b if second_b is None else check_whole("rows of the second", second_b, 1, LARGEST)
    return corners(whole_numbers(), n, a, b, rows, c)


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
