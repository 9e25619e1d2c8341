"""Hard attention: look at one key, drawn by its weight, instead of averaging over all of them."""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import InputError, check_whole
from attention_core.data import LAST_SEED

MOST_LOOKS = 2_000


class Looked(NamedTuple):
    """Many looks at one key each, in the order they were taken."""

    seen: Tensor  # (N,): the key of each
    heard: Tensor  # (N,): its value
    averages: Tensor  # (N,): of the values so far
    errors: Tensor  # (N,): how far the average usually is from the soft output


def look(weights: Tensor, values: Tensor, count: int, seed: int = 0) -> Looked:
    """Look so many times at one of the keys, and average the values that were heard."""
    seen = looks(weights, count, seed)
    return Looked(seen, values[seen], running_averages(values, seen), standard_errors(weights, values, count))


def looks(weights: Tensor, count: int, seed: int = 0) -> Tensor:
    """Which key (count,) each look falls on, drawn with probabilities weights (K,).

    More looks with the same seed begin with the same ones.
    """
    check_whole("looks", count, 1, MOST_LOOKS)
    check_whole("seed", seed, 0, LAST_SEED)
    ends = _checked(weights).cumsum(-1)  # (K,): where the share of each key ends
    # All of them, whatever the count: a shorter draw need not be the beginning of a longer one.
    draws = torch.rand(MOST_LOOKS, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    # The first end beyond the draw: a key without weight ends where it begins, so it is never looked at.
    return torch.searchsorted(ends / ends[-1], draws[:count], right=True)  # (count,)


def running_averages(values: Tensor, seen: Tensor) -> Tensor:
    """The mean of the values after 1, 2, ... looks: m_n = (v_1 + ... + v_n) / n."""
    return values[seen].cumsum(-1) / torch.arange(1, len(seen) + 1)  # (N,)


def standard_errors(weights: Tensor, values: Tensor, count: int) -> Tensor:
    """How far m_n usually is from the soft output: sqrt(sum_i w_i (v_i - o)^2 / n) for n = 1 ... count."""
    variance = weights @ (values - weights @ values).square()
    return (variance / torch.arange(1, count + 1)).sqrt()  # (count,)


def _checked(weights: Tensor) -> Tensor:
    weights = torch.as_tensor(weights, dtype=torch.float64)
    if weights.ndim != 1 or not (weights >= 0).all() or not abs(float(weights.sum()) - 1) < 1e-6:
        raise InputError("weights must be a list of numbers from 0 to 1 that sum to 1.")
    return weights
