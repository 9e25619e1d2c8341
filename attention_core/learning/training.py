"""Learn w by gradient descent, one step per epoch. It yields what happened and never prints or plots."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from attention_core.checks import NARROWEST, check_choice, check_number, check_whole
from attention_core.data import Samples, samples_from
from attention_core.learning.gradient import SquaredError

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


# For one number torch.optim costs 1.7 times (SGD) to 3 times (Adam) the whole epoch of 50 points, so both are written
# out; the tests hold them against torch.optim.
def _sgd(learning_rate: float) -> Callable[[float], float]:
    return lambda gradient: learning_rate * gradient


def _adam(learning_rate: float) -> Callable[[float], float]:
    """Kingma and Ba's update with the usual constants 0.9, 0.999 and 1e-8."""
    step, mean, square = 0, 0.0, 0.0

    def move(gradient: float) -> float:
        nonlocal step, mean, square
        step += 1
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient * gradient
        return learning_rate * (mean / (1 - 0.9**step)) / (math.sqrt(square / (1 - 0.999**step)) + 1e-8)

    return move


# name -> a function of the learning rate that makes a fresh "gradient -> how far to move against it"
OPTIMIZERS: dict[str, Callable[[float], Callable[[float], float]]] = {"sgd": _sgd, "adam": _adam}


def train(samples: Samples, config: TrainingConfig | None = None) -> Iterator[Step]:
    """Yield one Step per epoch; a run that diverges ends early with a flagged step and only finite numbers."""
    return _steps(samples_from(*samples), config or TrainingConfig())


def _steps(samples: Samples, config: TrainingConfig) -> Iterator[Step]:
    share = LOSSES[config.loss](len(samples.x))
    squared_error = SquaredError(samples, config.leave_one_out)
    move = OPTIMIZERS[config.optimizer](config.learning_rate)
    furthest, w = largest_w(samples), config.w0
    for epoch in range(1, config.epochs + 1):
        loss, gradient = squared_error(w)
        loss, gradient = share * loss, share * gradient
        before, w = w, w - move(gradient)
        if not abs(w) <= furthest:
            shown = w if abs(w) <= 1 / NARROWEST else before
            yield Step(epoch, loss, shown, gradient, diverged=True)
            return
        yield Step(epoch, loss, w, gradient)


def largest_w(samples: Samples) -> float:
    """Beyond this w the width is under a hundredth of the mean gap between keys: only the nearest key counts."""
    return 100 * len(samples.x) / float(samples.x.max() - samples.x.min())
