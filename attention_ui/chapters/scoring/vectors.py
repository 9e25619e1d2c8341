"""The queries and keys that the views score: drawn once from a seed, cut to the width that is asked for."""

import math

import torch
from torch import Tensor

from attention_ui.numbers import short

WIDEST, QUERIES, KEYS = 512, 8, 10
DIMENSIONS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
ROWS = tuple(f"q{i}" for i in range(1, QUERIES + 1))
COLUMNS = tuple(f"k{i}" for i in range(1, KEYS + 1))
STEPS, HOTTEST = 30, 20.0  # positions on either side of 1, and how far they reach: 1/20 to 20


def vectors(d: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Standard normal queries (Q, d) and keys (K, d): at every d the first coordinates of the same vectors."""
    drawn = torch.randn(QUERIES + KEYS, WIDEST, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    return drawn[:QUERIES, :d], drawn[QUERIES:, :d]


def temperatures() -> tuple[float, ...]:
    """From 0.05 to 20, evenly in the logarithm, to three digits; 1 is in the middle."""
    return tuple(
        float(f"{math.exp(step / STEPS * math.log(HOTTEST)):.3g}") for step in range(-STEPS, STEPS + 1)
    )  # fmt: skip


TEMPERATURES = tuple(short(temperature) for temperature in temperatures())  # as the slider and the link write them
