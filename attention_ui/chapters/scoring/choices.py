"""What the views that score drawn queries and keys offer: their widths, their names, the temperatures."""

import math

from attention_core.demos.scoring import KEYS, QUERIES
from attention_ui.numbers import short

DIMENSIONS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
ROWS = tuple(f"q{i}" for i in range(1, QUERIES + 1))
COLUMNS = tuple(f"k{i}" for i in range(1, KEYS + 1))
STEPS, HOTTEST = 30, 20.0  # positions on either side of 1, and how far they reach: 1/20 to 20


def temperatures() -> tuple[float, ...]:
    """From 0.05 to 20, evenly in the logarithm, to three digits; 1 is in the middle."""
    return tuple(
        float(f"{math.exp(step / STEPS * math.log(HOTTEST)):.3g}") for step in range(-STEPS, STEPS + 1)
    )  # fmt: skip


TEMPERATURES = tuple(short(temperature) for temperature in temperatures())  # as the slider and the link write them
