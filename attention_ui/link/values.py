"""How a link writes the value of a choice, and how it is read: ids and numbers, never a label."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

O = TypeVar("O")  # noqa: E741  an option
N = TypeVar("N", int, float)


def written(value: object) -> str:
    """A value as a link writes it; nothing for None."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.15g}"
    return "" if value is None else str(value)


def written_list(values: Iterable[object]) -> str:
    """Several values with commas between them."""
    return ",".join(map(written, values))


def as_number(text: str) -> float | None:
    """A number; None where it is no number."""
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number


def number_reader(low: N, high: N) -> Callable[[str], N | None]:
    """Read numbers from low to high; whole ones where these are whole."""
    kind, whole = type(low), isinstance(low, int)

    def read(text: str) -> N | None:
        number = as_number(text)
        fits = number is not None and low <= number <= high and (number.is_integer() or not whole)
        return kind(number) if fits and number is not None else None

    return read


def switch_reader(text: str) -> bool | None:
    """Read true or false."""
    return {"true": True, "false": False}.get(text.lower())


def option_reader(options: Iterable[O]) -> Callable[[str], O | None]:
    """Read one of these options; numbers however they are written."""
    known = {written(option): option for option in options}

    def read(text: str) -> O | None:
        if text in known:
            return known[text]
        number = as_number(text)
        return None if number is None else next((each for each in known.values() if _is(each, number)), None)

    return read


def list_reader(*readers: Callable[[str], Any]) -> Callable[[str], list[Any] | None]:
    """Read values with commas between them, each by its own reader; all of them or none."""

    def read(text: str) -> list[Any] | None:
        parts = text.split(",")
        found = [one(part) for one, part in zip(readers, parts, strict=False)]
        return found if len(parts) == len(readers) and all(value is not None for value in found) else None

    return read


def _is(option: Any, number: float) -> bool:
    return isinstance(option, int | float) and math.isclose(option, number, rel_tol=1e-9)


def options_reader(options: Sequence[O], most: int | None = None) -> Callable[[str], list[O] | None]:
    """Read some of these options, so many at most; none is a choice too."""
    one = option_reader(options)

    def read(text: str) -> list[O] | None:
        found = [one(part) for part in text.split(",")] if text else []
        return None if None in found else list(dict.fromkeys(each for each in found if each is not None))[:most]

    return read
