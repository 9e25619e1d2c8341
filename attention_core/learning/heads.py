"""Several learned widths at once: the smallest multi-head attention. Each head has its w, and learned shares mix them.

prediction(q) = sum_h share_h sum_i softmax_i(-((q - k_i) w_h)^2 / 2) v_i, with share = softmax(logits).

Mostly one head gets nearly the whole share, since one width suits most data. On the 50 points of "step" with seed 0
both stay: a wide head (w near 1.8, share 0.43) calms the plateaus, and a sharp one (w near 27, share 0.57) keeps the
jump; their leave-one-out loss is 21.8, the best single w has 23.9. With 200 such points, or with seed 1, the sharp head
takes over 95 %. Heads that start equal stay equal.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attention_core.checks import NARROWEST, InputError, check_number
from attention_core.data import Points, Samples, samples_from
from attention_core.learning.gradient import HeadsError
from attention_core.learning.stretch import Stretch
from attention_core.learning.training import LOSSES, OPTIMIZERS, Move, TrainingConfig
from attention_core.regression.frames import Frames, w_frames, widths_of
from attention_core.regression.prediction import Predictions

MOST_HEADS = 4
APART = 10.0  # the last head starts so many times sharper than the first


@dataclass(frozen=True)
class HeadsConfig:
    """Where each head's w starts, and how all are trained; the w0 in there is not used."""

    starts: tuple[float, ...] = (0.5, 5.0)
    training: TrainingConfig = field(default_factory=lambda: TrainingConfig(400, 0.1, optimizer="adam"))

    def __post_init__(self) -> None:
        if not 1 <= len(self.starts) <= MOST_HEADS:
            raise InputError(f"starts must hold 1 to {MOST_HEADS} numbers, one for each head, not {len(self.starts)}.")
        for start in self.starts:
            check_number("each start", start, -1e6, 1e6)


class HeadsStep(NamedTuple):
    """One epoch: the loss before the update, and every head's w and share after it."""

    epoch: int  # from 1
    loss: float
    w: Tensor  # (H,)
    shares: Tensor  # (H,), sum to 1
    diverged: bool = False  # an update left the range where any slope is felt; the run ends here


def starts_apart(heads: int, w0: float = 0.5) -> tuple[float, ...]:
    """Starts for so many heads, from w0 to ten times that, evenly in log: equal heads would stay equal."""
    return tuple(float(f"{w0 * APART ** (h / max(heads - 1, 1)):.4g}") for h in range(heads))


def train_heads(samples: Samples, config: HeadsConfig | None = None) -> Iterator[HeadsStep]:
    """Yield one HeadsStep per epoch; with one head it is `train`. A diverging run ends early, flagged and finite."""
    config = config or HeadsConfig()
    samples, training = samples_from(*samples), config.training
    share = LOSSES[training.loss](len(samples.x))
    moves = [OPTIMIZERS[training.optimizer](training.learning_rate) for _ in 2 * config.starts]
    return descent_together(HeadsError(samples, training.leave_one_out), config.starts, training.epochs, share, moves)


def learned_together(
    points: Points, starts: tuple[float, ...], epochs: int, share: float, leave_one_out: bool,
    optimizer: Callable[[float], Move], learning_rate: float, stretch: Stretch,
) -> dict[str, Any]:  # fmt: skip
    """Learn every head's w and share, a step per epoch; the loss is a share of the sum of squared errors."""
    keys, values = points
    x, y, x_scale = stretch(keys, values)
    squared_error, moves = HeadsError(Samples(x, y), leave_one_out), [optimizer(learning_rate) for _ in 2 * starts]
    steps = list(descent_together(squared_error, starts, epochs, share, moves))
    every_w = torch.stack([torch.tensor(starts, dtype=torch.float64), *(step.w for step in steps)])  # (epochs + 1, H)
    shares = torch.stack([torch.full_like(every_w[0], 1 / len(starts)), *(step.shares for step in steps)])
    last, _ = squared_error(every_w[-1], shares[-1].log())
    losses = torch.tensor([*(step.loss for step in steps), share * last], dtype=torch.float64)
    return {"keys": keys, "values": values, "x_scale": x_scale, "w": every_w, "shares": shares, "losses": losses}


def descent_together(
    squared_error: HeadsError, starts: tuple[float, ...], epochs: int, share: float, moves: Sequence[Move]
) -> Iterator[HeadsStep]:
    """Gradient descent on a share of the squared error of all heads together, with a move for each number learned."""
    heads = len(starts)
    parameters = torch.tensor([*starts, *[0.0] * heads], dtype=torch.float64)  # w, then logits
    for epoch in range(1, epochs + 1):
        loss, slopes = squared_error(parameters[:heads], parameters[heads:])
        step = [move(share * slope) for move, slope in zip(moves, slopes.tolist(), strict=True)]
        updated = parameters - torch.tensor(step, dtype=torch.float64)
        largest = updated[:heads].abs().max().item() if updated.isfinite().all() else math.inf
        parameters = updated if largest <= 1 / NARROWEST else parameters
        diverged = not largest <= squared_error.largest_w
        yield HeadsStep(epoch, share * loss, parameters[:heads], parameters[heads:].softmax(0), diverged)
        if diverged:
            return


def mixed_outputs(queries: Tensor, samples: Samples, w: Tensor, shares: Tensor) -> Tensor:
    """The mixed prediction (Q,) alone, without the weights of every key."""
    return shares @ Predictions(samples).outputs(queries, widths_of(w, samples))


def mixed_frames(samples: Samples, queries: tuple[Tensor, Tensor], w: Tensor, shares: Tensor) -> Frames:
    """A frame for every w and share of a path, each (F, H): what all heads together answer and attend to."""
    heads = [w_frames(samples, queries, each) for each in w.T]  # of each alone
    curves = torch.stack([head.curves for head in heads], 1)  # (F, H, C)
    weights = sum(share[:, None, None] * head.weights for share, head in zip(shares.T, heads, strict=True))
    return heads[0]._replace(curves=(shares[:, None] @ curves)[:, 0], weights=weights)
