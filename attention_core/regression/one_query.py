"""One query taken apart: which points made its prediction, and by how much."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import check_whole
from attention_core.data import Samples
from attention_core.progress import pause
from attention_core.regression.estimator import Estimator
from attention_core.regression.frames import pooled_at


@dataclass(frozen=True, eq=False)  # tensors have no single truth value to compare by
class Explanation:
    """f(q) = sum_i weight_i y_i, term by term."""

    query: float
    samples: Samples
    estimator: Estimator
    weights: Tensor  # (K,), all 0 when no key is in reach
    contributions: Tensor  # (K,): weight_i y_i
    prediction: float  # their sum, or NaN when no key is in reach
    order: Tensor  # (K,): positions by |weight|, strongest first

    @property
    def strongest(self) -> int:
        """The position of the point that counts most."""
        return int(self.order[0])

    @property
    def reached(self) -> int:
        """How many points have any weight."""
        return int(self.weights.count_nonzero())

    def without(self, index: int) -> float:
        """The prediction without that point; NaN when no other is in reach."""
        n = len(self.samples.x)
        check_whole("index", index, 0, n - 1)
        if n == 1:
            return math.nan
        rest = torch.arange(n) != index
        others = Samples(self.samples.x[rest], self.samples.y[rest])
        return self.estimator.pool(_vector(self.query), others).output.item()


def explain(query: float, samples: Samples, estimator: Estimator) -> Explanation:
    """Take the prediction at one query apart into weight_i y_i."""
    output, weights = (row[0] for row in estimator.pool(_vector(query), samples))  # (), (K,)
    order = weights.abs().argsort(descending=True, stable=True)
    return Explanation(query, samples, estimator, weights, weights * samples.y, output.item(), order)


class Seen(NamedTuple):
    """One query at every width (F,)."""

    weights: Tensor  # (F, S), of some of the keys; all 0 where none is in reach
    prediction: Tensor  # (F,); NaN where no key is in reach
    reached: Tensor  # (F,): how many points have any weight
    strongest: Tensor  # (F,): the position of the point that counts most
    largest: Tensor  # (F,): its weight
    ends: Tensor  # (F, 2): the least and the greatest weight
    part_ends: Tensor  # (F, 2): the least and the greatest weight_i y_i


def seen_at(query: float, samples: Samples, widths: Tensor, model: tuple[str, bool], some: Tensor) -> Seen:
    """One query at every width, by a kernel and lines or not; of the weights those at some positions (S,) are kept."""
    found = []
    every = pooled_at(samples, _vector(query), widths, *model)
    for output, weights in ((pooled.output[:, 0], pooled.weights[:, 0]) for pooled in every):  # (f,), (f, K)
        strongest = weights.abs().argmax(-1, keepdim=True)
        ends = (torch.stack(each.aminmax(dim=-1), -1) for each in (weights, weights * samples.y))
        largest = weights.gather(-1, strongest)[:, 0]
        found.append((weights[:, some], output, weights.count_nonzero(-1), strongest[:, 0], largest, *ends))
        pause(sum(len(each[1]) for each in found) / len(widths))
    return Seen(*(torch.cat(parts) for parts in zip(*found, strict=True)))


def _vector(query: float) -> Tensor:
    return torch.tensor([query], dtype=torch.float64)
