"""Six scores in words, and what each makes of one query and twelve keys."""

from functools import lru_cache
from typing import NamedTuple

import torch

from attention_core.demos import six_scores
from attention_core.learning.training import train
from attention_core.pooling import Pooled

QUERY = 2.0


class Score(NamedTuple):
    """How the first page tells of a score."""

    name: str
    formula: str  # LaTeX
    explanation: str


SCORES = {
    "average": Score("Average pooling", r"\text{always } 0", "Every key counts the same."),
    "gaussian": Score("Gaussian kernel", r"-\tfrac12 (q - k)^2", "Near keys count more."),
    "learned_w": Score("Learned w", r"-\tfrac12 w^2 (q - k)^2", "Training found the width, $1/w$."),
    "additive": Score(
        "Additive",
        r"\mathbf w_v^\top \tanh(W_q \mathbf q + W_k \mathbf k)",
        "A small network compares. This one is untrained, so its weights mean nothing yet.",
    ),
    "scaled_dot": Score(
        "Scaled dot product", r"\mathbf q^\top \mathbf k \,/ \sqrt d", "Vectors in the same direction score high."
    ),
    "multihead": Score(
        "Multi-head", r"\mathbf q_h^\top \mathbf k_h \,/ \sqrt{d_h}", "Each head compares one part of the vectors."
    ),
}


@lru_cache(1)
def learned_w() -> float:
    """The w = 1 / sigma that gradient descent finds for these twelve."""
    return list(train(six_scores.twelve()))[-1].w


@lru_cache(1)
def pooled_by_score() -> tuple[tuple[Score, Pooled], ...]:
    """What every score makes of the same query and the same twelve keys; shared, so leave it unchanged."""
    query = torch.tensor([QUERY], dtype=torch.float64)
    pooled = six_scores.pooled_by_score(query, six_scores.twelve(), learned_w())
    return tuple((SCORES[name], each) for name, each in pooled.items())
