"""Data sets: seeded toy functions, three measured data sets, and a user's own columns."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import InputError, check_choice, check_number, check_same_length, check_vector, check_whole

FEWEST, MOST_GENERATED, MOST_READ = 3, 1_000_000, 1_000_000
LOUDEST, LAST_SEED = 100.0, 2**31 - 1
LOW, HIGH = 0.0, 5.0

Curve = Callable[[Tensor], Tensor]
Points = tuple[Tensor, Tensor]  # inputs and outputs


class Samples(NamedTuple):
    """What was seen: inputs x (the keys, sorted) and outputs y (the values), both (n,) float64."""

    x: Tensor
    y: Tensor


def zero_to_five(unit: Tensor) -> Tensor:
    """Numbers from 0 to 1 -> inputs from 0 to 5."""
    return 5 * unit


@dataclass(frozen=True)
class Function:
    """A curve we made up, so its truth is known."""

    label: str
    formula: str  # LaTeX
    curve: Curve
    place: Curve = zero_to_five  # where sorted numbers from 0 to 1 stand on the axis


@dataclass(frozen=True)
class Measured:
    """A measured data set, whose true curve is unknown."""

    label: str
    x_label: str
    y_label: str
    source: str


def wave(x: Tensor) -> Tensor:
    """The curve of the d2l chapter."""
    return 2 * torch.sin(x) + x**0.8


def line(x: Tensor) -> Tensor:
    """A straight line."""
    return 0.5 * x + 1


def step(x: Tensor) -> Tensor:
    """A step up at 2.5."""
    return 3 * (x >= 2.5).to(x.dtype)


def bump(x: Tensor) -> Tensor:
    """A bump on a slope."""
    return 0.5 * x + 3 * torch.exp(-8 * (x - 2.5) ** 2)


def doppler(x: Tensor) -> Tensor:
    """Donoho and Johnstone's doppler, mirrored and slowed so that 50 points can follow its first wiggles."""
    t = 1 - x / 5.0
    return 4 * (t * (1 - t)).clamp(min=0).sqrt() * torch.sin(2 * torch.pi * 1.15 / (t + 0.15))


def sine(x: Tensor) -> Tensor:
    """A sine, seen on either side of a gap."""
    return 2 * torch.sin(2 * x)


def outside_gap(unit: Tensor) -> Tensor:
    """Numbers from 0 to 1 -> inputs from 0 to 2 and from 3 to 5."""
    return torch.where(unit < 0.5, 4 * unit, 4 * unit + 1)


FUNCTIONS: dict[str, Function] = {
    "wave": Function("Wave", r"2\sin x + x^{0.8}", wave),
    "line": Function("Line", r"\tfrac{1}{2}x + 1", line),
    "step": Function("Step", r"3 \cdot [x \ge 2.5]", step),
    "bump": Function("Bump on a slope", r"\tfrac{1}{2}x + 3 e^{-8 (x - 2.5)^2}", bump),
    "doppler": Function(
        "Doppler: a narrowing wiggle",
        r"4\sqrt{t(1-t)}\,\sin\!\left(\frac{2.3\,\pi}{t + 0.15}\right),\; t = 1 - \tfrac{x}{5}",
        doppler,
    ),
    "gap": Function("Sine with a gap", r"2\sin 2x,\quad x \notin (2, 3)", sine, outside_gap),
}

MEASURED: dict[str, Measured] = {
    "motorcycle": Measured(
        "Motorcycle crash", "time after impact (ms)", "head acceleration (g)",
        "Silverman (1985), J. R. Statist. Soc. B 47, 1-52",
    ),
    "engel": Measured(
        "Engel's food budgets", "household income (francs)", "food expenditure (francs)",
        "Koenker and Bassett (1982), Econometrica 50, 43-61",
    ),
    "faithful": Measured(
        "Old Faithful", "eruption (min)", "waiting time (min)",
        "Azzalini and Bowman (1990), Applied Statistics 39, 357-365",
    ),
}  # fmt: skip


def generate(function: str = "wave", n: int = 50, noise: float = 0.5, seed: int = 0) -> Samples:
    """Draw n noisy points y = f(x) + N(0, noise^2), sorted by x; the same seed gives the same points."""
    made = FUNCTIONS[check_choice("function", function, FUNCTIONS)]
    check_whole("n", n, FEWEST, MOST_GENERATED)
    check_number("noise", noise, 0, LOUDEST)
    check_whole("seed", seed, 0, LAST_SEED)
    return Samples(*noisy(made.curve, n, float(noise), seed, made.place))


def noisy(curve: Curve, n: int, noise: float, seed: int, place: Curve = zero_to_five) -> Points:
    """Draw n points of a curve with normal noise: float32, x before the noise, so that seed 0 gives those of d2l."""
    generator = torch.Generator().manual_seed(seed)
    x = place(torch.rand(n, generator=generator).sort().values)
    y = curve(x) + torch.normal(0.0, noise, (n,), generator=generator)
    return x.double(), y.double()


def measured(name: str) -> Samples:
    """One of the three measured data sets, sorted by x."""
    check_choice("data set", name, MEASURED)
    x, y = _read_columns(name)
    return samples_from(torch.tensor(x), torch.tensor(y))


@cache
def _read_columns(name: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    lines = files("attention_core").joinpath("datasets", f"{name}.csv").read_text("utf-8").splitlines()
    rows = [(float(x), float(y)) for x, y in list(csv.reader(lines))[1:]]
    x, y = zip(*rows, strict=True)
    return x, y


def samples_from(x: Tensor, y: Tensor, x_name: str = "x", y_name: str = "y") -> Samples:
    """A user's two columns as Samples, sorted by x, or one sentence that says what is wrong with them."""
    x, y = check_vector(x_name, x), check_vector(y_name, y)
    check_same_length(x_name, x, y_name, y)
    if not FEWEST <= len(x) <= MOST_READ:
        raise InputError(f"The data must have {FEWEST} to {MOST_READ:,} rows; there {_are(len(x))}.")
    if x.min() == x.max():
        raise InputError(f"{x_name} is {x[0].item():g} in every row: there is nothing to tell the points apart by.")
    order = x.argsort(stable=True)
    return Samples(x[order], y[order])


def _are(count: int) -> str:
    return "is 1" if count == 1 else f"are {count:,}"


def has_truth(name: str) -> bool:
    """Whether the true curve behind this data is known."""
    return name in FUNCTIONS


def truth(function: str, x: Tensor) -> Tensor:
    """The curve without noise, f(x); measured data have none, and the error says so."""
    if function in MEASURED:
        raise InputError(f"{MEASURED[function].label} was measured, not made up: its true curve is unknown.")
    check_choice("function", function, FUNCTIONS)
    return FUNCTIONS[function].curve(torch.as_tensor(x, dtype=torch.float64))


def query_grid(samples: Samples | None = None) -> Tensor:
    """50 queries: d2l's test grid 0, 0.1, ..., 4.9, or as many evenly over the range of the given samples."""
    if samples is None:
        return torch.arange(LOW, HIGH, 0.1, dtype=torch.float64)
    return torch.linspace(float(samples.x[0]), float(samples.x[-1]), 50, dtype=torch.float64)
