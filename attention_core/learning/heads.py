"""Several learned widths at once: the smallest multi-head attention. Each head has its w, and learned shares mix them.

prediction(q) = sum_h share_h sum_i softmax_i(-((q - k_i) w_h)^2 / 2) v_i, with share = softmax(logits).

Mostly one head gets nearly the whole share, since one width suits most data. On the 50 points of "step" with seed 0
both stay: a wide head (w near 1.8, share 0.43) calms the plateaus, and a sharp one (w near 27, share 0.57) keeps the
jump; their leave-one-out loss is 21.8, the best single w has 23.9. With 200 such points, or with seed 1, the sharp head
takes over 95 %. Heads that start equal stay equal.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import NARROWEST, InputError, check_number
from attention_core.data import Samples, samples_from
from attention_core.kernels import KERNELS
from attention_core.learning.gradient import residual_and_covariance
from attention_core.learning.training import LOSSES, OPTIMIZERS, TrainingConfig, largest_w
from attention_core.regression.frames import Frames, w_frames, widths_of
from attention_core.regression.prediction import Predictions, with_ones
from attention_core.regression.sums.kernel_sums import KernelSums

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
    return _steps(samples_from(*samples), config or HeadsConfig())


def _steps(samples: Samples, config: HeadsConfig) -> Iterator[HeadsStep]:
    training, heads = config.training, len(config.starts)
    part = LOSSES[training.loss](len(samples.x))
    moves = [OPTIMIZERS[training.optimizer](training.learning_rate) for _ in range(2 * heads)]
    furthest = largest_w(samples)
    heads_error = HeadsError(samples, training.leave_one_out)
    parameters = torch.tensor([*config.starts, *[0.0] * heads], dtype=torch.float64)  # w, then logits
    for epoch in range(1, training.epochs + 1):
        loss, slopes = heads_error(parameters[:heads], parameters[heads:])
        step = [move(part * slope) for move, slope in zip(moves, slopes.tolist(), strict=True)]
        updated = parameters - torch.tensor(step, dtype=torch.float64)
        diverged = not (bool(updated.isfinite().all()) and updated[:heads].abs().max().item() <= furthest)
        parameters = updated if _drawable(updated, heads) else parameters
        yield HeadsStep(epoch, part * loss, parameters[:heads], parameters[heads:].softmax(0), diverged)
        if diverged:
            return


def _drawable(parameters: Tensor, heads: int) -> bool:
    return bool(parameters.isfinite().all()) and parameters[:heads].abs().max().item() <= 1 / NARROWEST


class HeadsError:
    """L = sum_i r_i^2 with r = prediction - y, and its slopes (2 H,), by w and then by the logits, in closed form.

    With the heads' own predictions p_h and squared distances D: dL/dw_h = -2 w_h share_h sum_i r_i Cov_h(D, y)_i and
    dL/dlogit_h = 2 share_h sum_i r_i (p_h - prediction)_i.
    """

    def __init__(self, samples: Samples, leave_one_out: bool = True) -> None:
        self.samples, self.leave_one_out = samples, leave_one_out
        self.targets = samples.y - samples.y.mean()
        self.sums = KernelSums(samples.x, with_ones(self.targets), KERNELS["gaussian"])

    def __call__(self, w: Tensor, logits: Tensor) -> tuple[float, Tensor]:
        """The loss and its slopes at these w and logits, each (H,)."""
        shares, widths = logits.softmax(0), widths_of(w, self.samples)
        errors, covariances = torch.empty(2, len(w), len(self.targets), dtype=torch.float64)  # of each head alone
        for part in self.sums.parts(widths, (0, 2)):
            found = residual_and_covariance(part, self.targets[part.rows], self.leave_one_out)
            errors[part.widths[:, None], part.rows], covariances[part.widths[:, None], part.rows] = found
        error = shares @ errors  # (n,)
        by_w = -2 * w * shares * widths.square() * (covariances @ error)
        return float(error @ error), torch.cat([by_w, 2 * shares * ((errors - error) @ error)])


def mixed_outputs(queries: Tensor, samples: Samples, w: Tensor, shares: Tensor) -> Tensor:
    """The mixed prediction (Q,) alone, without the weights of every key."""
    return shares @ Predictions(samples).outputs(queries, widths_of(w, samples))


def mixed_frames(samples: Samples, queries: tuple[Tensor, Tensor], w: Tensor, shares: Tensor) -> Frames:
    """A frame for every w and share of a path, each (F, H): what all heads together answer and attend to."""
    heads = [w_frames(samples, queries, each) for each in w.T]  # of each alone
    curves = torch.stack([head.curves for head in heads], 1)  # (F, H, C)
    weights = sum(share[:, None, None] * head.weights for share, head in zip(shares.T, heads, strict=True))
    return heads[0]._replace(curves=(shares[:, None] @ curves)[:, 0], weights=weights)
