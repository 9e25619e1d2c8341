"""Why divide by sqrt(d): what many dimensions do to the scores, to the weights, and to the gradient, measured."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_core.demos.scoring import WIDEST, queries_and_keys
from attention_core.scores import dot

# Enough random rows for smooth curves: 512 queries, each with 32 keys to attend to; 16 of them share their keys.
GROUPS, ASKING, OFFERED = 32, 16, 32


def scaling(dimensions: Sequence[int], seed: int) -> dict[str, Tensor]:
    """q . k and q . k / sqrt(d) at every d: three measures (2, n) of many, and the weights (2, n, Q, K) of a few.

    At every d, queries and keys are the first coordinates of the same standard normal vectors.
    """
    generator = torch.Generator().manual_seed(seed)
    many = torch.randn(GROUPS, ASKING + OFFERED, WIDEST, generator=generator).double()
    scores = torch.stack([dot(many[:, :ASKING, :d], many[:, ASKING:, :d]).flatten(0, 1) for d in dimensions])
    few = torch.stack([dot(*queries_and_keys(d, seed)) for d in dimensions])
    widths = torch.tensor(dimensions, dtype=torch.float64)
    root = widths.sqrt()[:, None, None]
    return {
        "dimensions": widths,
        **softness(torch.stack([scores, scores / root])),
        "weights": torch.stack([few, few / root]).softmax(-1),
    }


def softness(scores: Tensor) -> dict[str, Tensor]:
    """How scores (..., rows, K) behave: their variance, effective number of keys, and norm of softmax's gradient."""
    weights = scores.softmax(-1)
    entropy = torch.special.entr(weights).sum(-1).mean(-1)  # -sum p log p, of the average row
    return {
        "variance": scores.flatten(-2).var(-1),
        "effective_keys": entropy.exp(),  # as many equal weights would be as spread out
        "gradient": jacobian_norm(weights).mean(-1),
    }


def jacobian_norm(weights: Tensor) -> Tensor:
    """Frobenius norm of d softmax / d scores = diag(p) - p p^T: its square is sum p^2 - 2 sum p^3 + (sum p^2)^2."""
    squares = weights.square().sum(-1)
    norm = squares - 2 * weights.pow(3).sum(-1) + squares.square()
    return norm.clamp(min=0).sqrt()  # a one-hot row may round to just below 0
