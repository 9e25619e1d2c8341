"""Reading a heatmap row by row: the sum of each row, and its effective number of keys."""

from collections.abc import Mapping

import torch
from torch import Tensor


def attending(weights: Mapping[str, Tensor]) -> dict[str, Mapping[str, Tensor]]:
    """What the rows of some heatmaps (Q, K) sum to, and the effective number of keys of each."""
    return {
        "weights": weights,
        "sums": {name: matrix.sum(-1) for name, matrix in weights.items()},  # 1 for every row of attention weights
        "effective": {name: effective_keys(matrix) for name, matrix in weights.items()},
    }


def effective_keys(weights: Tensor) -> Tensor:
    """How many equal weights would be as spread out as each row (..., K): exp of the entropy of its shares."""
    positive = weights.clamp(min=0)  # weights that somebody brings along may be anything
    shares = positive / positive.sum(-1, keepdim=True).clamp(min=1e-300)
    count: Tensor = torch.special.entr(shares).sum(-1).exp()
    return count
