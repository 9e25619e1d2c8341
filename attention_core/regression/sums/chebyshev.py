"""Polynomials through a few nodes: what is smooth over a short stretch is known there by its values at these nodes.

A function f on [-1, 1] that is close to a polynomial of degree count - 1 is sum_b f(node_b) l_b(t), where l_b is 1 at
node b and 0 at all others. Chebyshev's nodes lie closer together towards both ends, which keeps every l_b small.
"""

import math
from functools import lru_cache

import torch
from torch import Tensor


@lru_cache(maxsize=16)
def nodes(count: int) -> Tensor:
    """The Chebyshev nodes in (-1, 1), growing: (count,)."""
    return -torch.cos((torch.arange(count, dtype=torch.float64) + 0.5) * (math.pi / count))


def shares(t: Tensor, count: int) -> Tensor:
    """l_b(t) for every node b: how much each counts at points t (...) in [-1, 1], as (..., count)."""
    return (polynomials(t.flatten(), count).T @ to_shares(count)).view(*t.shape, count)


def polynomials(t: Tensor, count: int) -> Tensor:
    """The polynomials T_0 = 1, T_1 = t, T_a = 2 t T_(a - 1) - T_(a - 2) at points t (n,): (count, n)."""
    values = torch.empty(count, len(t), dtype=torch.float64)
    values[0], values[1] = 1.0, t
    twice = 2 * t
    for order in range(2, count):
        torch.mul(twice, values[order - 1], out=values[order]).sub_(values[order - 2])
    return values


@lru_cache(maxsize=16)
def to_shares(count: int) -> Tensor:
    """From polynomials to shares (count, count): l_b = 2 / count sum_a T_a(node_b) T_a, with half of it for a = 0."""
    matrix = polynomials(nodes(count), count) * (2 / count)
    matrix[0] /= 2
    return matrix
