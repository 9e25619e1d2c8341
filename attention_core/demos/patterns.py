"""Patterns that attention makes, each from its scores: a mask is a score of -inf, a preference a finite one."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import InputError, check_choice, check_number, check_whole
from attention_core.pooling import attend

FEWEST = 2  # positions
MOST = 64
SHARPEST = 100.0


Scores = Callable[[Tensor, Tensor, int], Tensor]  # positions of queries (Q, 1) and keys (1, K), band -> (Q, K)


class Pattern(NamedTuple):
    """One way to listen: who may be heard, and who is preferred."""

    label: str
    hears: str  # whom a row of it listens to
    scores: Scores


def allowed(mask: Tensor) -> Tensor:
    """Equal scores where the mask is true, -inf elsewhere: softmax then shares the weight among the allowed."""
    return torch.zeros(mask.shape, dtype=torch.float64).masked_fill(~mask, -math.inf)


def uniform(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Everyone is heard alike."""
    return torch.zeros_like(q - k, dtype=torch.float64)


def identity(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each hears itself alone."""
    return allowed(q == k)


def causal(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each hears itself and the past."""
    return allowed(k <= q)


def banded(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each hears its neighbours."""
    return allowed((q - k).abs() <= band)


def blocks(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each hears its own group."""
    return allowed(q // (band + 1) == k // (band + 1))


def previous(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each prefers the one before."""
    return -0.5 * (k - (q - 1).clamp(min=0)).double().square()


def repeats(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each prefers every fourth, as in a motif that repeats."""
    return 2 * torch.cos(2 * math.pi * (q - k).double() / 4)


def untrained(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Scaled dot products of random vectors, the same ones every time."""
    generator = torch.Generator().manual_seed(0)
    queries, keys = torch.randn(2, MOST, 16, generator=generator, dtype=torch.float64)
    scores: Tensor = 2 * queries[q.flatten()] @ keys[k.flatten()].T / math.sqrt(16)
    return scores


PATTERNS: dict[str, Pattern] = {
    "uniform": Pattern("Uniform", "everyone", uniform),
    "identity": Pattern("Identity", "itself alone", identity),
    "causal": Pattern("Causal mask", "itself and the past", causal),
    "banded": Pattern("Banded", "its neighbours", banded),
    "blocks": Pattern("Blocks", "its own group", blocks),
    "previous": Pattern("Previous", "the one before", previous),
    "repeats": Pattern("Repeats", "every fourth", repeats),
    "untrained": Pattern("Untrained", "by chance", untrained),
}


def pattern_weights(scores: Mapping[str, Scores], n: int, band: int, sharpness: float) -> dict[str, dict[str, Tensor]]:
    """The weights of every pattern over n positions; sharpness is 1 / temperature."""
    q, k = torch.arange(n)[:, None], torch.arange(n)[None, :]  # (queries, 1), (1, keys)
    # Every row sums to 1. A mask is a score of -inf, which gets no weight.
    return {"weights": {name: (sharpness * score(q, k, band)).softmax(-1) for name, score in scores.items()}}


def pattern_scores(name: str, n: int, band: int = 1) -> Tensor:
    """The scores (Q, K) of a pattern over n positions; the band says how far a neighbour may be."""
    pattern = PATTERNS[check_choice("pattern", name, PATTERNS)]
    check_whole("n", n, FEWEST, MOST)
    check_whole("band", band, 0, MOST)
    positions = torch.arange(n)
    return pattern.scores(positions[:, None], positions[None, :], band)


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
