"""Why divide by sqrt(d): what many dimensions do to the scores, to the weights, and to the gradient, measured."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_core.demos.scoring import queries_and_keys

OFFERED = 32  # keys for each of 32 groups of 16 queries: enough random rows for smooth curves


def scaling(dimensions: Sequence[int], seed: int) -> dict[str, Tensor]:
    """q . k and q . k / sqrt(d) at every d: three measures (2, n) of many, and the weights (2, n, Q, K) of a few.

    At every d, queries and keys are the first coordinates of the same standard normal vectors.
    """
    queries, keys = queries_and_keys(512, seed)  # a few to look at
    few = torch.stack([queries[:, :d] @ keys[:, :d].mT for d in dimensions])
    many = torch.randn(32, 16 + OFFERED, 512, generator=torch.Generator().manual_seed(seed)).double()
    scores = torch.stack([(many[:, :16, :d] @ many[:, 16:, :d].mT).flatten(0, 1) for d in dimensions])
    widths = torch.tensor(dimensions, dtype=torch.float64)
    root = widths.sqrt()[:, None, None]
    variance, effective_keys, gradient = softness(torch.stack([scores, scores / root]))
    shown = {"dimensions": widths, "variance": variance, "effective_keys": effective_keys, "gradient": gradient}
    shown |= {"weights": torch.stack([few, few / root]).softmax(-1)}
    return shown


def softness(scores: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """How scores (..., rows, K) behave: their variance, effective number of keys, and norm of softmax's gradient."""
    p = scores.softmax(-1)
    keys = torch.special.entr(p).sum(-1).mean(-1).exp()  # -sum p log p; as many equal weights would be as spread out
    return scores.flatten(-2).var(-1), keys, jacobian_norm(p).mean(-1)


def jacobian_norm(p: Tensor) -> Tensor:
    """Frobenius norm of d softmax / d scores = diag(p) - p p^T: its square is sum p^2 - 2 sum p^3 + (sum p^2)^2."""
    squares = p.square().sum(-1)
    norm = squares - 2 * p.pow(3).sum(-1) + squares.square()
    return norm.clamp(min=0).sqrt()  # a one-hot row may round to just below 0
