"""One query, twelve keys, six scores: what softmax(score(q, k)) @ v becomes from chapter to chapter."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from attention_core.data import Samples, generate
from attention_core.kernels import KERNELS
from attention_core.learning.training import train
from attention_core.pooling import Pooled, attend

QUERY = 2.0
KEYS = 12
CLOCKS = (1.0, 3.0)  # radians per unit of x: a slow hand and a fast one
HIDDEN, SEED = 8, 0  # of the additive score's network


@dataclass(frozen=True)
class Score:
    """One way to compare queries (Q,) with keys (K,): scores (H, Q, K), a set for every head."""

    name: str
    formula: str  # LaTeX
    remark: str
    compare: Callable[[Tensor, Tensor], Tensor]

    def pool(self, queries: Tensor, keys: Tensor, values: Tensor) -> Pooled:
        """softmax(score(q, k)) @ v: output (H, Q), weights (H, Q, K)."""
        return attend(self.compare(queries, keys), values)


def twelve() -> Samples:
    """The samples of d2l's experiment that lie nearest to twelve even places."""
    samples = generate()
    places = torch.linspace(0.25, 4.75, KEYS, dtype=torch.float64)
    nearest = (samples.x - places[:, None]).abs().argmin(1)  # (12,)
    return Samples(samples.x[nearest], samples.y[nearest])


@lru_cache(1)
def learned_w() -> float:
    """The w = 1 / sigma that gradient descent finds for these twelve."""
    return list(train(twelve()))[-1].w


def clock_hands(x: Tensor, speeds: tuple[float, ...] = CLOCKS) -> Tensor:
    """Every x (N,) as a vector (N, 2 * clocks): (cos x, sin x, cos 3x, sin 3x)."""
    angles = x[:, None] * torch.tensor(speeds, dtype=x.dtype)  # (N, clocks)
    return torch.stack([angles.cos(), angles.sin()], -1).flatten(1)


def scaled_dot(queries: Tensor, keys: Tensor) -> Tensor:
    """q . k / sqrt(D) for queries (..., Q, D) and keys (..., K, D)."""
    return queries @ keys.mT / math.sqrt(keys.shape[-1])


def additive(queries: Tensor, keys: Tensor) -> Tensor:
    """w_v . tanh(W_q q + W_k k) with weights drawn from a seed, before any training."""
    draw, d = torch.Generator().manual_seed(SEED), keys.shape[-1]
    w_q, w_k = torch.randn(2, d, HIDDEN, generator=draw, dtype=keys.dtype)
    w_v = torch.randn(HIDDEN, generator=draw, dtype=keys.dtype) / math.sqrt(HIDDEN)
    return torch.tanh((queries @ w_q)[:, None] + keys @ w_k) @ w_v  # (Q, K)


def heads(vectors: Tensor, count: int) -> Tensor:
    """Vectors (N, H * D) cut into heads (H, N, D)."""
    return vectors.view(len(vectors), count, -1).transpose(0, 1)


def _kernel(name: str, width: Callable[[], float]) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda queries, keys: KERNELS[name]((queries[:, None] - keys) / width())[None]


def _by_heads(queries: Tensor, keys: Tensor) -> Tensor:
    return scaled_dot(*(heads(clock_hands(x), len(CLOCKS)) for x in (queries, keys)))


SCORES: tuple[Score, ...] = (
    Score("Average pooling", r"\text{always } 0", "Every key counts the same.", _kernel("constant", lambda: 1.0)),
    Score("Gaussian kernel", r"-\tfrac12 (q - k)^2", "Near keys count more.", _kernel("gaussian", lambda: 1.0)),
    Score(
        "Learned w",
        r"-\tfrac12 w^2 (q - k)^2",
        "Training found the width, $1/w$.",
        _kernel("gaussian", lambda: 1 / learned_w()),
    ),
    Score(
        "Additive",
        r"\mathbf w_v^\top \tanh(W_q \mathbf q + W_k \mathbf k)",
        "A small network compares. This one is untrained, so its weights mean nothing yet.",
        lambda queries, keys: additive(clock_hands(queries), clock_hands(keys))[None],
    ),
    Score(
        "Scaled dot product",
        r"\mathbf q^\top \mathbf k \,/ \sqrt d",
        "Vectors in the same direction score high.",
        lambda queries, keys: scaled_dot(clock_hands(queries), clock_hands(keys))[None],
    ),
    Score(
        "Multi-head",
        r"\mathbf q_h^\top \mathbf k_h \,/ \sqrt{d_h}",
        "Each head compares one part of the vectors.",
        _by_heads,
    ),
)


@lru_cache(1)
def pooled_by_score() -> tuple[tuple[Score, Pooled], ...]:
    """What every score makes of the same query and the same twelve keys; shared, so leave it unchanged."""
    query = torch.tensor([QUERY], dtype=torch.float64)
    return tuple((score, score.pool(query, *twelve())) for score in SCORES)
