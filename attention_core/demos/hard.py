"""Hard attention: look at one key, drawn by its weight, instead of averaging over all of them."""

import torch
from torch import Tensor

MOST_LOOKS = 2_000


def hard_attention(answer: dict[str, Tensor], count: int, seed: int) -> dict[str, Tensor]:
    """Look so many times at one key, and average the values that were heard: that comes close to the soft output."""
    weights, values = answer["weights"][0], answer["values"]  # (K,), (K,)
    looks = torch.arange(1, count + 1)
    seen = drawn_keys(weights, count, seed)
    heard = values[seen]
    averages = heard.cumsum(0) / looks  # of the values so far
    errors = (weights @ (values - weights @ values).square() / looks).sqrt()  # how far off the average usually is
    return answer | {"looks": looks, "seen": seen, "heard": heard, "averages": averages, "errors": errors}


def drawn_keys(weights: Tensor, count: int, seed: int) -> Tensor:
    """Which key (count,) each look falls on, drawn by weights (K,); more looks begin with the same ones."""
    ends = weights.cumsum(-1)  # (K,): where the share of each key ends
    # All of them, whatever the count: a shorter draw need not be the beginning of a longer one.
    draws = torch.rand(MOST_LOOKS, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    # The first end beyond the draw: a key without weight ends where it begins, so it is never looked at.
    return torch.searchsorted(ends / ends[-1], draws[:count], right=True)
