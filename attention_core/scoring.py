"""Scores: how well a query fits a key. Choose another and you have another attention; all else stays the same.

Every score takes queries (..., Q, D) and keys (..., K, D) and gives (..., Q, K); a batch in front is welcome.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from attention_core.checks import InputError, check_width
from attention_core.masks import Lengths, check_batches, masked_attend
from attention_core.masks import masked_softmax as masked_softmax
from attention_core.pooling import Pooled


def gaussian(queries: Tensor, keys: Tensor, width: float | Tensor = 1.0) -> Tensor:
    """a(q, k) = -|q - k|^2 / (2 width^2), the log of the Gaussian kernel; widths (F, 1, 1) score F times at once."""
    _check(queries, keys)
    u = (queries.unsqueeze(-2) - keys.unsqueeze(-3)) / check_width(width).to(queries.dtype)[..., None]  # (..., Q, K, D)
    return 0.0 - u.square().sum(-1) / 2  # 0 - 0 is 0; -(0) would be -0, and a page would show it


def dot(queries: Tensor, keys: Tensor) -> Tensor:
    """a(q, k) = q . k"""
    _check(queries, keys)
    return queries @ keys.mT


def scaled_dot(queries: Tensor, keys: Tensor) -> Tensor:
    """a(q, k) = q . k / sqrt(D): for standard normal queries and keys its variance is 1 at every width D."""
    return dot(queries, keys) / math.sqrt(queries.shape[-1])


def cosine(queries: Tensor, keys: Tensor) -> Tensor:
    """a(q, k) = q . k / (|q| |k|), from -1 to 1; 0 where either is the zero vector."""
    return dot(normalize(queries, dim=-1), normalize(keys, dim=-1))


def bilinear(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:  # noqa: N803
    """a(q, k) = q^T W k with W (query width, key width), which may differ."""
    _check_rows("keys", keys, W.shape[1])
    _check_rows("queries", queries, W.shape[0])
    return dot(queries, keys @ W.mT)


def additive(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:  # noqa: N803
    """a(q, k) = w_v . tanh(W_q q + W_k k) with W_q (h, query width), W_k (h, key width) and w_v (h,)."""
    _check_rows("keys", keys, W_k.shape[1])
    return _fit(queries, keys @ W_k.mT, W_q, w_v)


def _fit(queries: Tensor, projected: Tensor, W_q: Tensor, w_v: Tensor) -> Tensor:  # noqa: N803
    """w_v . tanh(W_q q + p) for keys that are projected already, p (..., K, h)."""
    _check_rows("queries", queries, W_q.shape[1])
    check_batches("queries", queries, "keys", projected)
    hidden = (queries @ W_q.mT).unsqueeze(-2) + projected.unsqueeze(-3)  # (..., Q, K, h)
    return hidden.tanh() @ w_v  # (..., Q, K)


def _check(queries: Tensor, keys: Tensor) -> None:
    """Both are equally wide rows of one batch."""
    _check_rows("queries", queries)
    _check_rows("keys", keys)
    if queries.shape[-1] != keys.shape[-1]:
        raise InputError(f"queries and keys must be equally wide, not {queries.shape[-1]} and {keys.shape[-1]}.")
    check_batches("queries", queries, "keys", keys)


def _check_rows(name: str, rows: Tensor, width: int | None = None) -> None:
    """At least a matrix (..., rows, width) of floating-point numbers."""
    fits = rows.ndim >= 2 and rows.shape[-1] > 0 and width in (None, rows.shape[-1])
    if not fits or not rows.is_floating_point():
        wanted = f"{width} floating-point numbers" if width else "floating-point numbers"
        kind = str(rows.dtype).removeprefix("torch.")
        raise InputError(f"{name} must be rows of {wanted}, not {kind} of shape {tuple(rows.shape)}.")


class Attention(nn.Module):
    """softmax(a(q, k)) v for some score a. A decoder projects its keys once, then pools them step by step."""

    def project(self, keys: Tensor) -> Tensor:
        """What the score needs of the keys, whatever the query: the keys themselves."""
        return keys

    def score(self, queries: Tensor, projected: Tensor) -> Tensor:
        """Scores (..., Q, K) of queries with projected keys."""
        raise NotImplementedError

    def pool(
        self, queries: Tensor, projected: Tensor, values: Tensor,
        valid_lens: Lengths = None, causal: bool = False, mask: Tensor | None = None,
    ) -> Pooled:  # fmt: skip
        """The forward pass for keys that are projected already."""
        return masked_attend(self.score(queries, projected), values, valid_lens, causal, mask)

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor,
        valid_lens: Lengths = None, causal: bool = False, mask: Tensor | None = None,
    ) -> Pooled:  # fmt: skip
        """Output (..., Q, V) and weights (..., Q, K); who may look where is said as in `masked_softmax`."""
        return self.pool(queries, self.project(keys), values, valid_lens, causal, mask)


class DotProductAttention(Attention):
    """softmax(q . k / sqrt(D)) v: nothing to learn, so queries and keys must be equally wide."""

    def score(self, queries: Tensor, projected: Tensor) -> Tensor:
        """q . k / sqrt(D)"""
        return scaled_dot(queries, projected)


class BilinearAttention(Attention):
    """softmax(q^T W k) v with a learned W (query width, key width)."""

    def __init__(self, query_width: int, key_width: int, generator: torch.Generator | None = None) -> None:
        super().__init__()
        # Variance 1 / (query width * key width): scores of standard normal queries and keys then have variance 1.
        self.W = _uniform((query_width, key_width), query_width * key_width / 3, generator)

    def project(self, keys: Tensor) -> Tensor:
        """W k, (..., K, query width)."""
        _check_rows("keys", keys, self.W.shape[1])
        return keys @ self.W.mT

    def score(self, queries: Tensor, projected: Tensor) -> Tensor:
        """q . (W k)"""
        return dot(queries, projected)


class AdditiveAttention(Attention):
    """softmax(w_v . tanh(W_q q + W_k k)) v: bias-free maps of queries and keys into one hidden width h."""

    def __init__(self, query_width: int, key_width: int, hidden: int, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.W_q = _uniform((hidden, query_width), query_width, generator)  # each begins as torch.nn.Linear does
        self.W_k = _uniform((hidden, key_width), key_width, generator)
        self.w_v = _uniform((hidden,), hidden, generator)

    def project(self, keys: Tensor) -> Tensor:
        """W_k k, (..., K, h)."""
        _check_rows("keys", keys, self.W_k.shape[1])
        return keys @ self.W_k.mT

    def score(self, queries: Tensor, projected: Tensor) -> Tensor:
        """w_v . tanh(W_q q + projected)"""
        return _fit(queries, projected, self.W_q, self.w_v)


def _uniform(shape: tuple[int, ...], inputs: float, generator: torch.Generator | None) -> nn.Parameter:
    """A parameter drawn evenly from ±1 / sqrt(inputs)."""
    bound = 1 / math.sqrt(inputs)
    return nn.Parameter(torch.empty(shape).uniform_(-bound, bound, generator=generator))
