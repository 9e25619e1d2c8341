"""Scores: how well a query fits a key.

Every score takes queries (..., Q, D) and keys (..., K, D) and gives (..., Q, K); a batch in front is welcome. One entry
in SCORES makes a score known to every page. Called through its entry, a score says in a sentence what does not fit.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from attention_core.checks import InputError, check_choice, check_whole
from attention_core.data import LAST_SEED
from attention_core.masks import Lengths, check_batches, masked_attend
from attention_core.pooling import Pooled

WIDEST = 4096

Plan = tuple[tuple[int, ...], int]  # of a parameter: its shape, and its number of inputs


def gaussian(queries: Tensor, keys: Tensor) -> Tensor:
    """a(q, k) = -|q - k|^2 / 2, the log of the Gaussian kernel of width 1.

    0 - 0 is 0; -(0) would be -0, and a page would show it.
    """
    return 0.0 - (queries.unsqueeze(-2) - keys.unsqueeze(-3)).square().sum(-1) / 2


def dot(queries: Tensor, keys: Tensor) -> Tensor:
    """a(q, k) = q . k"""
    return queries @ keys.mT


def scaled_dot(queries: Tensor, keys: Tensor) -> Tensor:
    """a(q, k) = q . k / sqrt(D): for standard normal queries and keys its variance is 1 at every width D."""
    return queries @ keys.mT / queries.shape[-1] ** 0.5  # type: ignore[no-any-return]


def cosine(queries: Tensor, keys: Tensor) -> Tensor:
    """a(q, k) = q . k / (|q| |k|), from -1 to 1; 0 where either is the zero vector."""
    return normalize(queries, dim=-1) @ normalize(keys, dim=-1).mT


def bilinear(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:  # noqa: N803
    """a(q, k) = q^T W k with W (query width, key width), which may differ."""
    return queries @ W @ keys.mT


def additive(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:  # noqa: N803
    """a(q, k) = w_v . tanh(W_q q + W_k k) with W_q (h, query width), W_k (h, key width) and w_v (h,)."""
    hidden = (queries @ W_q.mT).unsqueeze(-2) + (keys @ W_k.mT).unsqueeze(-3)  # (..., Q, K, h)
    return hidden.tanh() @ w_v  # (..., Q, K)


@dataclass(frozen=True)
class Score:
    """A score a(q, k); call it with queries (..., Q, D), keys (..., K, D) and its parameters, if it has any."""

    label: str
    formula: str  # LaTeX of a(q, k)
    function: Callable[..., Tensor]  # a function of a module, so that scripts can show its source
    note: str
    parameters: tuple[str, ...] = ()  # the learned ones, in the order in which the function takes them

    def __call__(self, queries: Tensor, keys: Tensor, *parameters: Tensor) -> Tensor:
        named = dict(zip(self.parameters, parameters, strict=False))
        apart = [named[side].shape[1] for side in ("W_q", "W_k") if side in named]
        _check(queries, keys, *(named["W"].shape if "W" in named else apart))
        scores: Tensor = self.function(queries, keys, *parameters)
        return scores


SCORES: dict[str, Score] = {
    "gaussian": Score(
        "Gaussian", r"-\tfrac{1}{2}\lVert q - k\rVert^2", gaussian,
        "The nearer a key, the higher its score. Nothing is learned.",
    ),
    "dot": Score(
        "Dot product", r"q^\top k", dot,
        "The score is high for keys that point in the direction of the query, and higher for long ones.",
    ),
    "scaled_dot": Score(
        "Scaled dot product", r"\frac{q^\top k}{\sqrt{d}}", scaled_dot,
        "The dot product, divided so that with many dimensions the weight does not all go to one key.",
    ),
    "cosine": Score(
        "Cosine", r"\frac{q^\top k}{\lVert q\rVert\,\lVert k\rVert}", cosine,
        "Only the direction counts: the score is between −1 and 1, however long the vectors are.",
    ),
    "bilinear": Score(
        "Bilinear", r"q^\top W k", bilinear,
        "A model learns $W$, which says which coordinates to compare; queries and keys may differ in width.", ("W",),
    ),
    "additive": Score(
        "Additive", r"w_v^\top \tanh(W_q\,q + W_k\,k)", additive,
        "A model learns a small network that gives the score; queries and keys may differ in width.",
        ("W_q", "W_k", "w_v"),
    ),
}  # fmt: skip


def score_named(name: str) -> Score:
    """The score of that name, or one sentence that lists the names there are."""
    return SCORES[check_choice("score", name, SCORES)]


def drawn(name: str, query_width: int, key_width: int, hidden: int = 8, seed: int = 0) -> tuple[Tensor, ...]:
    """The parameters of that score, () where it has none."""
    for field, size in (("query width", query_width), ("key width", key_width), ("hidden width", hidden)):
        check_whole(field, size, 1, WIDEST)
    return normal(planned(score_named(name), query_width, key_width, hidden), check_whole("seed", seed, 0, LAST_SEED))


def planned(score: Score, query_width: int, key_width: int, hidden: int) -> tuple[Plan, ...]:
    """The shape of each of a score's parameters, and its number of inputs."""
    plans: dict[str, Plan] = {
        "W": ((query_width, key_width), query_width * key_width),
        "W_q": ((hidden, query_width), query_width),
        "W_k": ((hidden, key_width), key_width),
        "w_v": ((hidden,), hidden),
    }
    return tuple(plans[parameter] for parameter in score.parameters)


def normal(plan: Sequence[tuple[Sequence[int], int]], seed: int) -> tuple[Tensor, ...]:
    """Normal numbers in each of these shapes, divided by the root of the number of inputs that goes with it."""
    generator = torch.Generator().manual_seed(seed)
    return tuple(torch.randn(shape, dtype=torch.float64, generator=generator) / inputs**0.5 for shape, inputs in plan)


def _check(queries: Tensor, keys: Tensor, query_width: int | None = None, key_width: int | None = None) -> None:
    """Raise unless both are rows of one batch, as wide as the parameters need them, or else equally wide."""
    _check_rows("queries", queries, query_width)
    _check_rows("keys", keys, key_width)
    if query_width is None and queries.shape[-1] != keys.shape[-1]:
        raise InputError(f"queries and keys must be equally wide, not {queries.shape[-1]} and {keys.shape[-1]}.")
    check_batches("queries", queries, "keys", keys)


def _check_rows(name: str, rows: Tensor, width: int | None = None) -> None:
    """Raise unless it is a matrix (..., rows, width) of floating-point numbers."""
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
        return SCORES["scaled_dot"](queries, projected)


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
        return SCORES["dot"](queries, projected)


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
        _check_rows("queries", queries, self.W_q.shape[1])
        check_batches("queries", queries, "keys", projected)
        hidden = (queries @ self.W_q.mT).unsqueeze(-2) + projected.unsqueeze(-3)  # (..., Q, K, h)
        return hidden.tanh() @ self.w_v  # (..., Q, K)


def _uniform(shape: tuple[int, ...], inputs: float, generator: torch.Generator | None) -> nn.Parameter:
    """A parameter drawn evenly from ±1 / sqrt(inputs)."""
    bound = 1 / math.sqrt(inputs)
    return nn.Parameter(torch.empty(shape).uniform_(-bound, bound, generator=generator))
