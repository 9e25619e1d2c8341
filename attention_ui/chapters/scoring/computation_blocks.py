"""The building blocks' computation: three matrices, one score, one chosen entry, and every step to the output."""

from typing import NamedTuple

from torch import Tensor

from attention_core.demos.scoring import building_blocks
from attention_core.scores import SCORES, drawn, normal, planned
from attention_ui.export.computation import Computation
from attention_ui.export.writing import Call, Field

HIDDEN = 3  # units of the additive score's network: few enough to write the sum out


class Chain(NamedTuple):
    """Everything between three matrices and the output, for one score and one chosen entry."""

    computation: Computation
    queries: Tensor  # (Q, D)
    keys: Tensor  # (K, D)
    values: Tensor  # (K, V)
    score: str
    parameters: tuple[Tensor, ...]
    scores: Tensor  # (Q, K)
    weights: Tensor  # (Q, K)
    weighted: Tensor  # (K, V): the values, each times its weight for the chosen query
    output: Tensor  # (Q, V)
    row: int
    key: int


def chained(vectors: tuple[Tensor, Tensor, Tensor], score: str, row: int = 0, key: int = 0) -> Chain:
    """softmax(a(q, k)) v with every step kept."""
    queries, keys, values = vectors
    parameters = drawn(score, queries.shape[-1], keys.shape[-1], HIDDEN)
    made = _ran(vectors, score, row)
    return Chain(made, queries, keys, values, score, parameters, row=row, key=key, **made.shown)


def _ran(vectors: tuple[Tensor, Tensor, Tensor], name: str, row: int) -> Computation:
    given = dict(zip(("queries", "keys", "values"), vectors, strict=True))
    score = SCORES[name]
    plan = planned(score, given["queries"].shape[-1], given["keys"].shape[-1], HIDDEN)
    parameters = Call(normal, plan, 0) if plan else ()
    call = Call(building_blocks, row, **given, score=score.function, parameters=parameters)
    return Computation(call, "heatmaps", {"matrices": {score.label: Field("weights")}})
