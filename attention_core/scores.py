"""The scores by name, to choose from: one entry makes a score known to every page."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from attention_core.checks import check_choice, check_whole
from attention_core.data import LAST_SEED
from attention_core.scoring import additive, bilinear, cosine, dot, gaussian, scaled_dot

WIDEST = 4096


@dataclass(frozen=True)
class Score:
    """A score a(q, k); call it with queries (..., Q, D), keys (..., K, D) and its parameters, if it has any."""

    label: str
    formula: str  # LaTeX of a(q, k)
    function: Callable[..., Tensor]
    note: str
    parameters: tuple[str, ...] = ()  # the learned ones, in the order in which the function takes them

    def __call__(self, queries: Tensor, keys: Tensor, *parameters: Tensor) -> Tensor:
        scores: Tensor = self.function(queries, keys, *parameters)
        return scores


SCORES: dict[str, Score] = {
    "gaussian": Score(
        "Gaussian", r"-\tfrac{1}{2}\lVert q - k\rVert^2", gaussian,
        "Near keys count. A fixed kernel: nothing to learn.",
    ),
    "dot": Score(
        "Dot product", r"q^\top k", dot,
        "Keys that point the way of the query count, long ones more.",
    ),
    "scaled_dot": Score(
        "Scaled dot product", r"\frac{q^\top k}{\sqrt{d}}", scaled_dot,
        "The dot product, divided so that many dimensions do not make it a winner-takes-all.",
    ),
    "cosine": Score(
        "Cosine", r"\frac{q^\top k}{\lVert q\rVert\,\lVert k\rVert}", cosine,
        "Only direction counts, and softly: no weight is more than e² ≈ 7.4 times another.",
    ),
    "bilinear": Score(
        "Bilinear", r"q^\top W k", bilinear,
        "The matrix W learns which coordinates to compare; queries and keys may differ in width.", ("W",),
    ),
    "additive": Score(
        "Additive", r"w_v^\top \tanh(W_q\,q + W_k\,k)", additive,
        "A small network learns what fits; queries and keys may differ in width.", ("W_q", "W_k", "w_v"),
    ),
}  # fmt: skip


def score_named(name: str) -> Score:
    """The score of that name, or one sentence that lists the names there are."""
    return SCORES[check_choice("score", name, SCORES)]


def drawn(name: str, query_width: int, key_width: int, hidden: int = 8, seed: int = 0) -> tuple[Tensor, ...]:
    """The parameters of that score, () where it has none: normal, float64, each scaled by its number of inputs."""
    for field, size in (("query width", query_width), ("key width", key_width), ("hidden width", hidden)):
        check_whole(field, size, 1, WIDEST)
    generator = torch.Generator().manual_seed(check_whole("seed", seed, 0, LAST_SEED))
    plans: dict[str, tuple[tuple[int, ...], int]] = {
        "W": ((query_width, key_width), query_width * key_width),
        "W_q": ((hidden, query_width), query_width),
        "W_k": ((hidden, key_width), key_width),
        "w_v": ((hidden,), hidden),
    }  # name -> shape, number of inputs
    plan = (plans[parameter] for parameter in score_named(name).parameters)
    return tuple(
        torch.randn(shape, dtype=torch.float64, generator=generator) / math.sqrt(inputs) for shape, inputs in plan
    )
