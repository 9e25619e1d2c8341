"""Hard attention: sample one key by its weight, instead of averaging over all of them."""

import torch
from torch import Tensor

MOST_SAMPLES = 2_000


def hard_attention(answer: dict[str, Tensor], count: int, seed: int) -> dict[str, Tensor]:
    """Sample so many keys by their weights, and average their values: that comes close to the soft output."""
    weights, values = answer["weights"][0], answer["values"]  # (K,), (K,)
    samples = torch.arange(1, count + 1)
    picked = drawn_keys(weights, count, seed)
    sampled = values[picked]
    averages = sampled.cumsum(0) / samples  # of the values so far
    errors = (weights @ (values - weights @ values).square() / samples).sqrt()  # how far off the average usually is
    return answer | {"samples": samples, "picked": picked, "sampled": sampled, "averages": averages, "errors": errors}


def drawn_keys(weights: Tensor, count: int, seed: int) -> Tensor:
    """Which key (count,) each sample picks by weights (K,); more samples begin with the same ones."""
    ends = weights.cumsum(-1)  # (K,): where the share of each key ends
    # All of them, whatever the count: a shorter draw need not be the beginning of a longer one.
    draws = torch.rand(MOST_SAMPLES, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    # The first end beyond the draw: a key without weight ends where it begins, so it is never picked.
    return torch.searchsorted(ends / ends[-1], draws[:count], right=True)
