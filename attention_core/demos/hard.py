"""Hard attention: sample one key by its weight, instead of averaging over all of them."""

import torch
from torch import Tensor

MOST_SAMPLES = 2_000


def hard_attention(answer: dict[str, Tensor], count: int, seed: int) -> dict[str, Tensor]:
    """Sample so many keys by their weights, and average their values: that comes close to the soft output."""
    chances = answer["weights"][0]  # (K,)
    picked = drawn_keys(chances, count, seed)
    samples, sampled = torch.arange(1, count + 1), answer["values"][picked]
    averages = sampled.cumsum(0) / samples  # of the values so far
    errors = (chances @ (answer["values"] - answer["output"]).square() / samples).sqrt()  # how far off they usually are
    return answer | {"samples": samples, "picked": picked, "sampled": sampled, "averages": averages, "errors": errors}


def drawn_keys(chances: Tensor, count: int, seed: int) -> Tensor:
    """Which key (count,) each sample picks by these chances (K,): the one in whose share a number from 0 to 1 falls.

    All numbers are drawn, whatever the count: a shorter draw need not be the beginning of a longer one.
    A key without weight ends where it begins, so it is never picked.
    """
    draws = torch.rand(2_000, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)[:count]
    ends = chances.cumsum(-1)  # (K,): where the share of each key ends
    return torch.searchsorted(ends / ends[-1], draws, right=True)
