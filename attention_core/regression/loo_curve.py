"""Leave-one-out error over the width, and where on it the usual choices stand."""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import Samples
from attention_core.regression.estimator import Estimator
from attention_core.regression.quick_width import loo_width
from attention_core.regression.selection import GRID, loo_losses, scott_width, silverman_width, some, width_grid


class Mark(NamedTuple):
    """One choice of width and its leave-one-out error."""

    width: float
    loss: float


class LooCurve(NamedTuple):
    """The leave-one-out error (W,) of growing widths (W,), and the choices by their ids, which are among them.

    With more than 1,000 points only some of them are left out, for the curve and the marks alike.
    """

    widths: Tensor
    losses: Tensor
    marks: dict[str, Mark]


def loo_curve(samples: Samples, estimator: Estimator) -> LooCurve:
    """The error over all widths worth trying, with the best, the rules of thumb and the current width marked."""
    chosen = {
        "leave_one_out": loo_width(samples, estimator),
        "silverman": silverman_width(samples),
        "scott": scott_width(samples),
        "current": estimator.width,
    }
    widths = torch.cat([width_grid(samples), torch.tensor(list(chosen.values()), dtype=torch.float64)])
    losses = loo_losses(samples, widths, estimator.kernel, estimator.linear, some(len(samples.x)))
    marks = map(Mark, chosen.values(), losses[GRID:].tolist())
    order = widths.argsort()
    return LooCurve(widths[order], losses[order], dict(zip(chosen, marks, strict=True)))
