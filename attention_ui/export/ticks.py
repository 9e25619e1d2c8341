"""Ticks of a log axis written out in full: 0.02, 0.05, 0.1 instead of a small 2 and 5 between powers of ten."""

import math
from collections.abc import Sequence
from typing import Any

FEWEST = 3
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
DIGITS = ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 5, 7))  # of every power of ten, from few to many


def log_ticks(low: float, high: float) -> dict[str, Any]:
    """Axis options for at least three round numbers from low to high.

    1-2-5 over two decades, 1-3 over four, else powers of ten; where that gives too few, more of them.
    """
    decades = math.log10(high / low)
    first = 2 if decades <= 2 else 1 if decades <= 4 else 0
    tried = (_round_numbers(low, high, digits) for digits in DIGITS[first:])
    shown = next((ticks for ticks in tried if len(ticks) >= FEWEST), None) or _even(low, high)
    return {"type": "log", "tickvals": shown, "ticktext": [tick_text(tick) for tick in shown]}


def tick_text(tick: float) -> str:
    """A round number as people write it: 0.05, 300, 10⁶, 3·10⁻⁹."""
    digits, _, power = f"{tick:e}".partition("e")
    if -4 <= int(power) < 6:
        return f"{tick:g}"
    raised = f"10{str(int(power)).translate(RAISED)}"
    return raised if float(digits) == 1 else f"{float(digits):g}·{raised}"


def _round_numbers(low: float, high: float, digits: Sequence[float]) -> list[float]:
    """These digits times powers of ten; over more than eight decades only some of the powers."""
    stride = max(1, math.ceil(math.log10(high / low) / 8))
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [float(f"{digit}e{power}") for power in powers if power % stride == 0 for digit in digits]
    return [tick for tick in ticks if low <= tick <= high]


def _even(low: float, high: float) -> list[float]:
    """Three to seven numbers in steps of 1, 2 or 5: so near to each other, a log axis is as good as an even one."""
    raw = (high - low) / 3
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (5, 2, 1, 0.5) if factor * power <= raw)
    return [float(f"{n * step:.12g}") for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
