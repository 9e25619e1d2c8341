"""Patterns that attention makes, each from its scores: a mask is a score of -inf, a preference a finite one."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import InputError, check_choice, check_number, check_whole
from attention_core.pooling import attend

FEWEST, MOST = 2, 64  # positions
SHARPEST = 100.0
PERIOD = 4  # of the motif that repeats
RANDOM_WIDTH = 16  # D of queries and keys nobody has trained


class Pattern(NamedTuple):
    """One way to listen: who may be heard, and who is preferred."""

    label: str
    hears: str  # whom a row of it listens to
    scores: Callable[[Tensor, Tensor, int], Tensor]  # positions of queries (Q, 1) and keys (1, K), band -> (Q, K)


def allowed(mask: Tensor) -> Tensor:
    """Equal scores where the mask is true, -inf elsewhere: softmax then shares the weight among the allowed."""
    return torch.zeros(mask.shape, dtype=torch.float64).masked_fill(~mask, -math.inf)


def _untrained(queries: Tensor, keys: Tensor, band: int) -> Tensor:
    """Scaled dot products of random vectors, the same ones every time."""
    generator = torch.Generator().manual_seed(0)
    drawn = torch.randn(2, MOST, RANDOM_WIDTH, generator=generator, dtype=torch.float64)
    asked, offered = drawn[0, queries.flatten()], drawn[1, keys.flatten()]  # (Q, D), (K, D)
    return 2 * asked @ offered.T / math.sqrt(RANDOM_WIDTH)


PATTERNS: dict[str, Pattern] = {
    "uniform": Pattern("Uniform", "everyone", lambda q, k, band: torch.zeros_like(q - k, dtype=torch.float64)),
    "identity": Pattern("Identity", "itself alone", lambda q, k, band: allowed(q == k)),
    "causal": Pattern("Causal mask", "itself and the past", lambda q, k, band: allowed(k <= q)),
    "banded": Pattern("Banded", "its neighbours", lambda q, k, band: allowed((q - k).abs() <= band)),
    "blocks": Pattern("Blocks", "its own group", lambda q, k, band: allowed(q // (band + 1) == k // (band + 1))),
    "previous": Pattern(
        "Previous", "the one before", lambda q, k, band: -0.5 * (k - (q - 1).clamp(min=0)).double().square()
    ),
    "repeats": Pattern(
        "Repeats", "every fourth", lambda q, k, band: 2 * torch.cos(2 * math.pi * (q - k).double() / PERIOD)
    ),
    "untrained": Pattern("Untrained", "by chance", _untrained),
}


def pattern_scores(name: str, n: int, band: int = 1) -> Tensor:
    """The scores (Q, K) of a pattern over n positions; the band says how far a neighbour may be."""
    pattern = PATTERNS[check_choice("pattern", name, PATTERNS)]
    check_whole("n", n, FEWEST, MOST)
    check_whole("band", band, 0, MOST)
    positions = torch.arange(n)
    return pattern.scores(positions[:, None], positions[None, :], band)


def pattern_weights(names: Sequence[str], n: int, band: int = 1, sharpness: float = 1.0) -> Tensor:
    """softmax(sharpness * scores) of every named pattern, (P, Q, K); sharpness is 1 / temperature."""
    return pattern_frames(names, n, band, [sharpness])[0]


def pattern_frames(names: Sequence[str], n: int, band: int, sharpnesses: Sequence[float]) -> Tensor:
    """The weights of every named pattern at every sharpness, (F, P, Q, K); each row sums to 1."""
    if not names:
        raise InputError("pattern must be at least one name; there are none.")
    factors = torch.tensor([check_number("sharpness", s, 0, SHARPEST) for s in sharpnesses], dtype=torch.float64)
    scores = torch.stack([pattern_scores(name, n, band) for name in names])  # (P, Q, K)
    # Masked after scaling: 0 * -inf would be NaN.
    scaled = (factors[:, None, None, None] * scores).masked_fill(scores == -math.inf, -math.inf)  # (F, P, Q, K)
    positions = torch.arange(n, dtype=torch.float64)  # (K,)
    return attend(scaled, positions).weights
