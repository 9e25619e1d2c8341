"""Two cues on one desk: what stands out, and what you want.

Each object has a key, which says what it is good for, and a value, which says what it gives you. A goal is a query.
The score of an object blends how much it stands out with how well its key answers the query; the rest is `attend`.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import InputError, check_choice, check_vector
from attention_core.pooling import Pooled, attend


class Thing(NamedTuple):
    """Something on the desk."""

    name: str
    saliency: float  # how much it stands out by itself
    key: tuple[float, ...]  # how good it is to drink, to read and to write, from 0 to 1
    value: tuple[float, ...]  # how much caffeine, news, knowledge and notes it gives, from 0 to 10


PURPOSES = ("drink", "read", "write")
GAINS = ("caffeine", "news", "knowledge", "notes")
DESK = (
    Thing("newspaper", 1.5, (0.0, 0.6, 0.2), (0, 9, 3, 1)),
    Thing("research paper", 1.0, (0.0, 0.7, 0.3), (0, 2, 8, 2)),
    Thing("coffee cup", 5.0, (1.0, 0.0, 0.0), (10, 0, 0, 0)),
    Thing("notebook", 1.0, (0.0, 0.2, 1.0), (0, 0, 2, 9)),
    Thing("book", 1.5, (0.0, 1.0, 0.1), (0, 0, 10, 1)),
)
STRENGTH = 6.0  # of a will: the score of an object that is made for the goal; also the most that one can stand out

KEYS = torch.tensor([thing.key for thing in DESK], dtype=torch.float64)  # (K, D)
VALUES = torch.tensor([thing.value for thing in DESK], dtype=torch.float64)  # (K, V)
QUERIES = dict(zip(PURPOSES, STRENGTH * torch.eye(len(PURPOSES), dtype=torch.float64), strict=True))  # each (D,)


def desk_attention(saliency: Tensor, keys: Tensor, values: Tensor, query: Tensor, blend: float) -> dict[str, Tensor]:
    """Where attention goes on a desk: at blend 0 what stands out decides, at 1 how well a key answers the query."""
    scores = (1 - blend) * saliency + blend * (keys @ query)  # one for each thing
    weights = scores.softmax(0)  # all above 0, and together 1
    return {"scores": scores, "weights": weights, "output": weights @ values}


def without_query(scores: Tensor, values: Tensor) -> dict[str, Tensor]:
    """Where attention goes on a desk when you want nothing: the score of a thing is how much it stands out."""
    weights = scores.softmax(0)  # all above 0, and together 1
    return {"scores": scores, "weights": weights, "output": weights @ values}


def look(saliency: Tensor, goal: str | None, blend: float | Tensor = 0.0) -> Pooled:
    """Where attention goes and what it brings: one row for every blend, weights (B, K) and output (B, V)."""
    return attend(cue_scores(saliency, goal, blend), VALUES)


def cue_scores(saliency: Tensor, goal: str | None, blend: float | Tensor = 0.0) -> Tensor:
    """(1 - blend) saliency + blend q.k, as (B, K); without a goal there is no query, and the saliency is all."""
    saliency = check_vector("saliency", saliency)  # (K,)
    if len(saliency) != len(DESK):
        raise InputError(f"saliency must hold one number for each of the {len(DESK)} objects, not {len(saliency)}.")
    blends = _checked_blends(blend)[:, None]  # (B, 1)
    if goal is None:
        return saliency.expand(len(blends), -1)
    answers = KEYS @ QUERIES[check_choice("goal", goal, PURPOSES)]  # (K,)
    scores: Tensor = (1 - blends) * saliency + blends * answers  # (B, K)
    return scores


def _checked_blends(blend: float | Tensor) -> Tensor:
    blends = check_vector("blend", torch.atleast_1d(torch.as_tensor(blend, dtype=torch.float64)))
    if blends.min() < 0 or blends.max() > 1:
        raise InputError(f"blend must be from 0 to 1, not from {blends.min():g} to {blends.max():g}.")
    return blends
