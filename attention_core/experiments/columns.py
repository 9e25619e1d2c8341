"""Every row of attention weights sums to 1. Do the columns?"""

import torch

from attention_core.experiments.finding import Finding

SIZE = 10


def experiment(seed: int) -> Finding:
    """Softmax along the rows of random scores, summed down the columns."""
    scores = torch.randn(SIZE, SIZE, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    weights = scores.softmax(-1)  # (Q, K)
    rows, columns = weights.sum(1), weights.sum(0)
    answer = "one" if (columns - 1).abs().max() < 0.01 else "any" if columns.max() > 1 else "below"
    numbers = {
        "smallest row sum": rows.min().item(),
        "largest row sum": rows.max().item(),
        "smallest column sum": columns.min().item(),
        "largest column sum": columns.max().item(),
        "all weights together": weights.sum().item(),
    }
    return Finding(answer, numbers, {"weights": weights, "columns": columns})
