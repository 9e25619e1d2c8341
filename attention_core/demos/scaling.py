"""Why divide by sqrt(d): what many dimensions do to the scores, to the weights, and to the gradient, measured."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import InputError, check_whole
from attention_core.data import LAST_SEED
from attention_core.scoring import dot

WIDEST = 512
POWERS = tuple(2**i for i in range(10))  # 1, 2, ..., 512
# Enough random rows for smooth curves: 512 queries, each with 32 keys to attend to; 16 of them share their keys.
GROUPS, QUERIES, KEYS = 32, 16, 32


class Softness(NamedTuple):
    """How scores and their softmax behave, one number per dimension, averaged over the rows."""

    variance: Tensor  # (n,) of the scores
    entropy: Tensor  # (n,) -sum p log p of the weights, in nats: at most log(32)
    reach: Tensor  # (n,) exp(entropy): how many of the 32 keys are really attended to
    largest: Tensor  # (n,) weight in a row
    settled: Tensor  # (n,) share of the rows in which one key has over 99 % of the weight
    gradient: Tensor  # (n,) |diag(p) - p p^T|, how much of a change in the scores comes through softmax


class Scaling(NamedTuple):
    """The same queries and keys, scored with and without 1 / sqrt(d)."""

    dimensions: Tensor  # (n,)
    plain: Softness  # of q . k
    scaled: Softness  # of q . k / sqrt(d)


def scaling(dimensions: Sequence[int] = POWERS, seed: int = 0) -> Scaling:
    """Measure standard normal queries and keys at each dimension d: the first d coordinates of the same vectors."""
    if not dimensions:
        raise InputError("dimensions must hold at least one number; there are none.")
    for d in dimensions:
        check_whole("dimension", d, 1, WIDEST)
    generator = torch.Generator().manual_seed(check_whole("seed", seed, 0, LAST_SEED))
    vectors = torch.randn(GROUPS, QUERIES + KEYS, WIDEST, generator=generator).double()
    scores = torch.stack([_dots(vectors[..., :d]) for d in dimensions])  # (n, rows, K)
    widths = torch.tensor(dimensions, dtype=torch.float64)  # (n,)
    return Scaling(widths, softness(scores), softness(scores / widths.sqrt()[:, None, None]))


def _dots(vectors: Tensor) -> Tensor:
    """q . k of each group's queries with its keys, one row per query: (rows, K)."""
    return dot(vectors[:, :QUERIES], vectors[:, QUERIES:]).flatten(0, 1)


def softness(scores: Tensor) -> Softness:
    """The variance of scores (n, rows, K), and entropy, reach, largest weight and gradient of their softmax."""
    weights = scores.softmax(-1)  # (n, rows, K)
    entropy = torch.special.entr(weights).sum(-1)  # (n, rows)
    largest = weights.amax(-1)  # (n, rows)
    return Softness(
        scores.flatten(-2).var(-1),
        entropy.mean(-1),
        entropy.exp().mean(-1),
        largest.mean(-1),
        (largest > 0.99).double().mean(-1),
        jacobian_norm(weights).mean(-1),
    )


def jacobian_norm(weights: Tensor) -> Tensor:
    """Frobenius norm of d softmax / d scores = diag(p) - p p^T: its square is sum p^2 - 2 sum p^3 + (sum p^2)^2."""
    squares = weights.square().sum(-1)  # (...)
    norm = squares - 2 * weights.pow(3).sum(-1) + squares.square()
    return norm.clamp(min=0).sqrt()  # a one-hot row may round to just below 0
