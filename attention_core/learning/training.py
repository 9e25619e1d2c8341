"""Learn w by gradient descent, one step per epoch. It yields what happened and never prints or plots."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from attention_core.checks import NARROWEST, check_choice, check_number, check_whole
from attention_core.data import Points, Samples, samples_from
from attention_core.learning.gradient import SquaredError
from attention_core.learning.stretch import Stretch

LOSSES: dict[str, Callable[[int], float]] = {
    "sum": lambda n: 1.0,
    "half": lambda n: 0.5,
    "mean": lambda n: 1 / n,
}  # how much of the sum of squared errors each counts, for n points
MOST_EPOCHS = 100_000


@dataclass(frozen=True)
class TrainingConfig:
    """How to train; on nearly every seed the defaults end near the best w."""

    epochs: int = 50
    learning_rate: float = 0.1
    w0: float = 1.0  # where w starts
    leave_one_out: bool = True  # a point must not attend to itself, or memorising wins
    loss: str = "sum"  # of squared errors; or "half" of that, or their "mean"
    optimizer: str = "sgd"  # or "adam"

    def __post_init__(self) -> None:
        check_whole("epochs", self.epochs, 1, MOST_EPOCHS)
        check_number("learning rate", self.learning_rate, 0, 1e300)
        check_number("w0", self.w0, -1e6, 1e6)
        check_choice("loss", self.loss, LOSSES)
        check_choice("optimizer", self.optimizer, OPTIMIZERS)


class Step(NamedTuple):
    """One epoch: the loss and its gradient before the update, and w after it."""

    epoch: int  # from 1
    loss: float
    w: float
    gradient: float
    diverged: bool = False  # the update left the range where any slope is felt; the run ends here


Move = Callable[[float], float]  # from a gradient to how far to move against it


# For one number torch.optim costs 1.7 times (SGD) to 3 times (Adam) the whole epoch of 50 points, so both are written
# out; the tests hold them against torch.optim.
def sgd(learning_rate: float) -> Move:
    """The learning rate times the gradient."""
    return lambda gradient: learning_rate * gradient


def adam(learning_rate: float) -> Move:
    """Kingma and Ba's update with the usual constants 0.9, 0.999 and 1e-8."""
    step, mean, square = 0, 0.0, 0.0

    def move(gradient: float) -> float:
        nonlocal step, mean, square
        step += 1
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient * gradient
        return learning_rate * (mean / (1 - 0.9**step)) / (math.sqrt(square / (1 - 0.999**step)) + 1e-8)

    return move


OPTIMIZERS: dict[str, Callable[[float], Move]] = {"sgd": sgd, "adam": adam}


def train(samples: Samples, config: TrainingConfig | None = None) -> Iterator[Step]:
    """Yield one Step per epoch; a run that diverges ends early with a flagged step and only finite numbers."""
    config = config or TrainingConfig()
    samples, move = samples_from(*samples), OPTIMIZERS[config.optimizer](config.learning_rate)
    squared_error, share = SquaredError(samples, config.leave_one_out), LOSSES[config.loss](len(samples.x))
    return descent(squared_error, config.w0, config.epochs, share, move)


def learned(
    points: Points, w0: float, epochs: int, share: float, leave_one_out: bool, optimizer: Callable[[float], Move],
    learning_rate: float, stretch: Stretch,
) -> dict[str, Any]:  # fmt: skip
    """Learn w from w0 on, a step per epoch; the loss is a share of the sum of squared errors."""
    keys, values = points
    x, y, x_scale = stretch(keys, values)
    squared_error, path, losses = SquaredError(Samples(x, y), leave_one_out), [w0], []
    for step in descent(squared_error, w0, epochs, share, optimizer(learning_rate)):
        path.append(step.w)
        losses.append(step.loss)
    losses.append(share * squared_error(path[-1])[0])
    every_w, every_loss = torch.tensor([path, losses], dtype=torch.float64)  # (epochs + 1,) each
    return {"keys": keys, "values": values, "x_scale": x_scale, "w": every_w, "losses": every_loss}


def descent(squared_error: SquaredError, w0: float, epochs: int, share: float, move: Move) -> Iterator[Step]:
    """Gradient descent on a share of the squared error; it ends where w leaves the range in which any slope is felt."""
    w = w0
    for epoch in range(1, epochs + 1):
        loss, slope = squared_error(w)
        before, w = w, w - move(share * slope)
        diverged = not abs(w) <= squared_error.largest_w
        yield Step(epoch, share * loss, w if abs(w) <= 1 / NARROWEST else before, share * slope, diverged)
        if diverged:
            return
