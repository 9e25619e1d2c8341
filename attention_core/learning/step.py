"""One epoch taken apart: the tensors and their shapes, the loss, its slope, and the step that w takes."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import Samples, samples_from
from attention_core.learning.gradient import SquaredError
from attention_core.learning.training import LOSSES, OPTIMIZERS, TrainingConfig
from attention_core.regression.frames import widths_of
from attention_core.regression.selection import PointErrors


class Shape(NamedTuple):
    """A tensor of the epoch by name, with the shape it has in the chapter's batch product."""

    name: str
    shape: tuple[int, ...]


class OneStep(NamedTuple):
    """Everything that one epoch computes on its way from w to the new w."""

    w: float  # before
    shapes: tuple[Shape, ...]  # queries, keys, values, weights, and the two factors and the outcome of the product
    predictions: Tensor  # (n,): each point from the others, or from all if none is left out
    errors: Tensor  # (n,): prediction - y
    loss: float
    gradient: float
    move: float  # what is subtracted: learning rate times gradient for SGD
    new_w: float


def one_step(samples: Samples, config: TrainingConfig, w: float, earlier: Sequence[float] = ()) -> OneStep:
    """The epoch that begins at w; Adam remembers, so it also needs the gradients of the earlier epochs."""
    samples = samples_from(*samples)
    share = LOSSES[config.loss](len(samples.x))
    loss, gradient = (share * number for number in SquaredError(samples, config.leave_one_out)(w))
    update = OPTIMIZERS[config.optimizer](config.learning_rate)
    for remembered in earlier:
        update(remembered)
    move = update(gradient)
    predictions = fitted(samples, w, config.leave_one_out)
    shapes = _shapes(len(samples.x), config.leave_one_out)
    return OneStep(w, shapes, predictions, predictions - samples.y, loss, gradient, move, w - move)


def fitted(samples: Samples, w: float, leave_one_out: bool = True) -> Tensor:
    """The predictions (n,) at the points themselves: sum_j softmax_j(-((x_i - x_j) w)^2 / 2) y_j, without j = i."""
    widths = widths_of(torch.tensor([w], dtype=torch.float64), samples)
    errors: Tensor = PointErrors(samples).errors(widths)[0 if leave_one_out else 1, 0]
    return samples.y + errors


def _shapes(n: int, leave_one_out: bool) -> tuple[Shape, ...]:
    """As the chapter lays them out: every point is a batch of its own, one query on the keys that are left."""
    keys = n - 1 if leave_one_out else n
    return (
        Shape("queries", (n,)),
        Shape("keys", (n, keys)),
        Shape("values", (n, keys)),
        Shape("weights", (n, keys)),
        Shape("weights as a batch", (n, 1, keys)),
        Shape("values as a batch", (n, keys, 1)),
        Shape("product", (n, 1, 1)),
    )
