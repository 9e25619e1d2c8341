"""From the Gaussian kernel to the dot product: put the keys on a sphere, and the two are one.

-|q - k|^2 / 2 = q . k - |q|^2 / 2 - |k|^2 / 2: in a softmax over the keys |q|^2 cancels always, |k|^2 when all keys are
equally long.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import LARGEST, InputError, check_number, check_whole, check_width
from attention_core.data import LAST_SEED
from attention_core.scoring import dot, gaussian

MOST_SCATTERED, WIDEST = 1000, 512
SHORTEST_LENGTH, LONGEST_LENGTH = 0.4, 2.0


class Morph(NamedTuple):
    """One frame per share: where queries and keys are, and what both scores make of them."""

    shares: Tensor  # (F,)
    queries: Tensor  # (F, Q, D)
    keys: Tensor  # (F, K, D)
    gaussian: Tensor  # (F, Q, K) weights of -|q - k|^2 / (2 width^2)
    dot: Tensor  # (F, Q, K) weights of q . k / width^2
    difference: Tensor  # (F,) the largest of |gaussian - dot|


def morph(queries: Tensor, keys: Tensor, shares: Tensor, width: float = 1.0, move_queries: bool = False) -> Morph:
    """Gaussian and dot-product weights while the keys (and the queries, if asked) go onto the unit sphere.

    Queries (Q, D), keys (K, D), shares (F,). The queries may stay: |q|^2 cancels in the softmax.
    """
    queries, keys = check_vectors("queries", queries), check_vectors("keys", keys)
    shares = torch.as_tensor(shares, dtype=torch.float64).reshape(-1)  # (F,)
    placed = on_sphere(keys, shares)  # (F, K, D)
    asking = on_sphere(queries, shares) if move_queries else queries.expand(len(shares), *queries.shape)  # (F, Q, D)
    near = gaussian(asking, placed, width).softmax(-1)  # (F, Q, K)
    along = (dot(asking, placed) / check_width(width).square()).softmax(-1)  # (F, Q, K)
    return Morph(shares, asking, placed, near, along, (near - along).abs().amax((-2, -1)))


def on_sphere(vectors: Tensor, share: float | Tensor) -> Tensor:
    """Move vectors (..., D) straight towards the unit sphere: v at share 0, v / |v| at share 1.

    Shares (F,) give all places at once, (F, ..., D).
    """
    vectors = check_vectors("vectors", vectors)
    shares = torch.as_tensor(share, dtype=torch.float64)
    for given in shares.flatten().tolist():
        check_number("share", given, 0, 1)
    lengths = vectors.square().sum(-1, keepdim=True).sqrt()  # (..., 1)
    if (lengths < 1 / LARGEST).any():
        raise InputError("vectors must not be 0: a vector without length points nowhere on the sphere.")
    there = vectors / lengths
    part = shares.reshape(shares.shape + (1,) * vectors.ndim)
    return (1 - part) * vectors + part * there


def scattered(count: int, seed: int = 0, width: int = 2) -> Tensor:
    """Seeded vectors (count, width) in all directions, 0.4 to 2 long: on both sides of the unit sphere."""
    check_whole("count", count, 1, MOST_SCATTERED)
    check_whole("width", width, 1, WIDEST)
    generator = torch.Generator().manual_seed(check_whole("seed", seed, 0, LAST_SEED))
    directions = torch.randn(count, width, dtype=torch.float64, generator=generator)
    lengths = torch.rand(count, 1, dtype=torch.float64, generator=generator)
    return on_sphere(directions, 1.0) * (SHORTEST_LENGTH + (LONGEST_LENGTH - SHORTEST_LENGTH) * lengths)


def check_vectors(name: str, vectors: Tensor) -> Tensor:
    """Return vectors (..., D) as finite float64, or an InputError."""
    rows = torch.as_tensor(vectors, dtype=torch.float64)
    if not rows.ndim or not rows.numel():
        raise InputError(f"{name} must hold at least one vector, not a tensor of shape {tuple(rows.shape)}.")
    if not rows.abs().max().item() <= LARGEST:  # NaN compares false
        raise InputError(f"{name} must be finite numbers up to {LARGEST:g}.")
    return rows
