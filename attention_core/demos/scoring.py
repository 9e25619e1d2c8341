"""What the chapter on scores computes: attention step by step, and every score of the same queries and keys."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

QUERIES, KEYS = 8, 10  # vectors that are drawn
Scoring = Callable[..., Tensor]  # queries, keys and parameters -> scores


def building_blocks(
    row: int, queries: Tensor, keys: Tensor, values: Tensor, score: Scoring, parameters: Sequence[Tensor]
) -> dict[str, Tensor]:
    """Attention step by step: score, softmax, weigh, sum."""
    scores = score(queries, keys, *parameters)  # (queries, keys)
    weights = scores.softmax(-1)  # exp(score) over the sum of its row, so that every row sums to 1
    weighted = weights[row, :, None] * values  # for one query; their sum is its output
    return {"scores": scores, "weights": weights, "weighted": weighted, "output": weights @ values}


def explorer(
    vectors: tuple[Tensor, Tensor], scores: Mapping[str, tuple[Scoring, Sequence[Tensor]]], temperature: float | Tensor
) -> dict[str, Tensor]:
    """The same queries and keys under every score, each with its parameters; the hotter, the more alike the weights."""
    queries, keys = vectors
    scored = {name: score(queries, keys, *parameters) for name, (score, parameters) in scores.items()}
    stacked = torch.stack([*scored.values()])  # (scores, queries, keys)
    return {"scores": stacked, "weights": (stacked / temperature).softmax(-1)}


def queries_and_keys(d: int, seed: int) -> tuple[Tensor, Tensor]:
    """Standard normal queries (Q, d) and keys (K, d): at every d the first coordinates of the same vectors."""
    generator = torch.Generator().manual_seed(seed)
    vectors = torch.randn(QUERIES + KEYS, 512, dtype=torch.float64, generator=generator)[:, :d]
    return vectors[:QUERIES], vectors[QUERIES:]
