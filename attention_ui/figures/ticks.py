"""Ticks of a log axis written out in full: 0.02, 0.05, 0.1 instead of a small 2 and 5 between powers of ten."""

import math
from typing import Any


def log_ticks(low: float, high: float) -> dict[str, Any]:
    """Axis options for round numbers from low to high: 1-2-5 over two decades, 1-3 over four, else powers of ten."""
    decades = math.log10(high / low)
    digits = (1, 2, 5) if decades <= 2 else (1, 3) if decades <= 4 else (1,)
    stride = max(1, math.ceil(decades / 8))
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [float(f"{digit}e{power}") for power in powers if power % stride == 0 for digit in digits]
    shown = [tick for tick in ticks if low <= tick <= high]
    return {"type": "log", "tickvals": shown, "ticktext": [f"{tick:g}" for tick in shown]}
