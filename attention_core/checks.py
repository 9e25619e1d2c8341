"""One kind of error for bad input, and the few checks that every module shares."""

import math
from collections.abc import Collection

import torch
from torch import Tensor

# Squares of distances must stay finite in float64: (2e100 / 1e-50)^2 = 4e300.
LARGEST = 1e100
NARROWEST = 1e-50


class InputError(ValueError):
    """Bad input, said in one sentence that names the field and what is allowed."""


def check_number(name: str, value: object, low: float, high: float) -> float:
    """Return the value as a float when low <= value <= high, else say which range is allowed."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise InputError(f"{name} must be a number from {low:g} to {high:g}, not {_shown(value)}.")
    return float(value)


def check_whole(name: str, value: object, low: int, high: int) -> int:
    """Return the value as an int when it is a whole number from low to high."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{name} must be a whole number from {low:,} to {high:,}, not {_shown(value)}.")
    return value


def check_choice(name: str, value: str, allowed: Collection[str]) -> str:
    """Return the value when it is one of the allowed names."""
    if value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(allowed)}, not {_shown(value)}.")
    return value


def check_vector(name: str, values: Tensor) -> Tensor:
    """Return the values as a float64 vector when there is at least one and all are finite and not huge."""
    vector = torch.as_tensor(values, dtype=torch.float64)
    if vector.ndim != 1:
        raise InputError(f"{name} must be a plain list of numbers, not a tensor of shape {tuple(vector.shape)}.")
    if not len(vector):
        raise InputError(f"{name} must hold at least one number; there are none.")
    if not vector.abs().max().item() <= LARGEST:  # NaN compares false
        bad = ~(vector.abs() <= LARGEST)
        first = int(bad.nonzero()[0])
        raise InputError(
            f"{name} must be finite numbers up to {LARGEST:g}; {int(bad.sum())} of {len(vector)} are not, "
            f"the first is number {first + 1} ({vector[first].item():g})."
        )
    return vector


def check_same_length(first: str, a: Tensor, second: str, b: Tensor) -> None:
    """Raise unless two paired lists are equally long."""
    if len(a) != len(b):
        raise InputError(f"{first} and {second} come in pairs, but there are {len(a)} {first} and {len(b)} {second}.")


def check_width(width: float | Tensor) -> Tensor:
    """Return the width, or widths, as float64 when each is positive, finite, and so wide that squares stay finite."""
    if isinstance(width, float) and NARROWEST <= width <= LARGEST:
        return torch.tensor(width, dtype=torch.float64)
    widths = torch.as_tensor(width, dtype=torch.float64)
    if (bad := ~((widths >= NARROWEST) & (widths <= LARGEST))).any():
        first = widths[bad].flatten()[0].item()
        raise InputError(f"width must be a positive number from {NARROWEST:g} to {LARGEST:g}, not {_shown(first)}.")
    return widths


def _shown(value: object) -> str:
    """How a rejected value is quoted: short, so that a hostile one cannot fill the screen."""
    if isinstance(value, float):
        return f"{value:g}" if math.isfinite(value) else str(value)
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
