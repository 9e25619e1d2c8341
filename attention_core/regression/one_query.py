"""One query taken apart: which points made its prediction, and by how much."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from attention_core.checks import check_whole
from attention_core.data import Samples
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
        """The prediction had that point never been seen; NaN when nothing else is in reach."""
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


def weights_at(query: float, samples: Samples, widths: Tensor, kernel: str, linear: bool) -> Tensor:
    """The weights (F, K) of one query at every width (F,); all 0 where no key is in reach."""
    every = pooled_at(samples, _vector(query), widths, kernel, linear)
    return torch.cat([pooled.weights[:, 0] for pooled in every])


def _vector(query: float) -> Tensor:
    return torch.tensor([query], dtype=torch.float64)
