"""Patterns that attention makes, each from its scores: a mask is a score of -inf, a preference a finite one."""

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
    """One way to attend: which keys a query may attend to, and which it prefers."""

    label: str
    attends_to: str  # what a query attends to
    scores: Scores


def allowed(mask: Tensor) -> Tensor:
    """Equal scores where the mask is true, -inf elsewhere: softmax then shares the weight among the allowed."""
    return torch.zeros(mask.shape, dtype=torch.float64).masked_fill(~mask, -torch.inf)


def nearby(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each prefers what is close by: the logarithm of a Gaussian kernel."""
    return -0.5 * (q - k).double().square()


def causal(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each attends to itself and the past."""
    return allowed(k <= q)


def previous(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each prefers the one before."""
    return -0.5 * (k - (q - 1).clamp(min=0)).double().square()


def repeats(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each prefers every fourth, as in a motif that repeats."""
    return 2 * torch.cos(2 * torch.pi * (q - k).double() / 4)


def banded(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each attends to its neighbours."""
    return allowed((q - k).abs() <= band)


def blocks(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each attends to its own group."""
    return allowed(q // (band + 1) == k // (band + 1))


ASKED, OFFERED = torch.randn(2, 64, 16, generator=torch.Generator().manual_seed(0), dtype=torch.float64)


def untrained(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Scaled dot products of random vectors, the same ones every time."""
    return ASKED[q.flatten()] @ OFFERED[k.flatten()].T / 2  # type: ignore[no-any-return]


def identity(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each attends to itself only."""
    return allowed(q == k)


def uniform(q: Tensor, k: Tensor, band: int) -> Tensor:
    """Each attends to all alike."""
    return torch.zeros_like(q - k, dtype=torch.float64)


PATTERNS: dict[str, Pattern] = {
    "nearby": Pattern("Nearby", "what is close by", nearby),
    "causal": Pattern("Causal mask", "itself and the past", causal),
    "previous": Pattern("Previous", "the one before", previous),
    "repeats": Pattern("Repeats", "every fourth key", repeats),
    "banded": Pattern("Banded", "its neighbours", banded),
    "blocks": Pattern("Blocks", "its own group", blocks),
    "untrained": Pattern("Untrained", "random keys", untrained),
    "identity": Pattern("Identity", "itself only", identity),
    "uniform": Pattern("Uniform", "all keys alike", uniform),
}


def pattern_weights(scores: Mapping[str, Scores], n: int, band: int, sharpness: float) -> dict[str, dict[str, Tensor]]:
    """The weights of every pattern over n positions; the band is how far a neighbour may be."""
    q, k = torch.arange(n)[:, None], torch.arange(n)[None, :]  # (queries, 1), (1, keys)
    scored = {name: score(q, k, band) for name, score in scores.items()}  # a mask is a score of -inf: no weight
    return {"weights": {name: (sharpness * each).softmax(-1) for name, each in scored.items()}}  # rows sum to 1


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
    scaled = (factors[:, None, None, None] * scores).masked_fill(scores == -torch.inf, -torch.inf)  # (F, P, Q, K)
    positions = torch.arange(n, dtype=torch.float64)  # (K,)
    return attend(scaled, positions).weights
