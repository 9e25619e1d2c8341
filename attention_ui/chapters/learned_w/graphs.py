"""The graphs beside a training run: the valley with the ball, and what every epoch brought; pure, no Streamlit."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import torch
from torch import Tensor

from attention_core.learning.training import LOSSES, Step
from attention_core.learning.valley import Valley
from attention_core.regression.frames import shown_epochs
from attention_ui.chapters.learned_w.runs import Trained, epochs_of, most_frames
from attention_ui.numbers import short
from attention_ui.pictures.graph import Axis, Graph, Mark, Moving, Trace
from attention_ui.shared import shared

HEAD_ROLES = ("prediction", "reference", "truth", "average")
CURVE = 161  # values of w of a curve
TANGENT = 0.12  # of the axis: how far a tangent reaches to either side, at least
ROOM = 0.06  # of an axis, beyond the outermost number


class Path(NamedTuple):
    """The w and the loss of a run before the first epoch, and after every shown one."""

    epochs: Tensor  # (F,)
    w: Tensor  # (F,)
    losses: Tensor  # (F,), at that w


class Mixed(NamedTuple):
    """The same of several heads."""

    epochs: Tensor  # (F,)
    w: Tensor  # (F, H)
    shares: Tensor  # (F, H)
    losses: Tensor  # (F,)


@shared
def path_of(run: Trained) -> Path:
    """The w and the loss of every shown epoch; shared, so leave it unchanged."""
    shown = shown_epochs(len(run.steps) + 1, most_frames(run.plan))
    every = epochs_of(run)
    return Path(torch.tensor(shown, dtype=torch.float64), every["w"][shown], every["losses"][shown])


def path_measured_as(run: Trained, loss: str) -> Path:
    """The same with the losses that another kind of loss would have told, so that two runs share an axis."""
    path, n = path_of(run), len(run.plan.dataset.samples().x)
    return path._replace(losses=path.losses * (LOSSES[loss](n) / LOSSES[run.plan.config.loss](n)))


def mixed_path(run: Trained) -> Mixed:
    """Every head's w and share, and the loss, of every shown epoch."""
    shown = shown_epochs(len(run.steps) + 1, most_frames(run.plan))
    every = epochs_of(run)
    numbers = (every[name][shown] for name in ("w", "shares", "losses"))
    return Mixed(torch.tensor(shown, dtype=torch.float64), *numbers)


def valley_graph(valley: Valley, w: Tensor, losses: Tensor, trail: bool, best_shown: bool = True) -> Graph:
    """The loss over w, with and without leaving each point out, and the ball on it; only the size of w counts."""
    both = torch.cat([valley.leave_one_out, valley.with_itself])
    low, high = float(valley.w[0]), float(valley.w[-1])
    best, (first, *_, last) = valley.best, valley.leave_one_out.tolist()
    ends = f"leave-one-out {short(first, 4)} at w = {short(low)} and {short(last, 4)} at w = {short(high)}"
    return Graph(
        "The valley",
        Axis("w", low, high, log=True),
        _axis("loss", both, floor=0.0),
        (
            Trace("leave-one-out", "reference", valley.w, valley.leave_one_out),
            Trace("point included", "average", valley.w, valley.with_itself),
        ),
        ball=(w.abs().clamp(low, high), losses),
        marks=(Mark(f"best {short(best.w)}", max(best.w, low), best.loss, late=trail),) if best_shown else (),
        trail=trail,
        text=f"Loss over w: the leave-one-out loss is least, {short(best.loss, 4)}, at w = {short(best.w, 4)}."
        if best_shown
        else f"Loss over w: {ends}.",
    )


class Stepped(NamedTuple):
    """Every step of a run: where it began, the loss and its slope there, and where it led."""

    w: Tensor  # (E,)
    loss: Tensor  # (E,)
    slope: Tensor  # (E,)
    new_w: Tensor  # (E,)
    new_loss: Tensor  # (E,)


def stepped(run: Trained) -> Stepped:
    """The steps that a run of one head took."""
    every = epochs_of(run)
    w, losses = every["w"], every["losses"]
    slope = torch.tensor([step.gradient for step in cast("tuple[Step, ...]", run.steps)], dtype=torch.float64)
    return Stepped(w[:-1], losses[:-1], slope, w[1:], losses[1:])


def stepped_over(steps: Stepped, valley: Valley) -> Tensor:
    """Values of w, evenly from below the smallest to above the largest of these steps, the best w among them."""
    furthest = float(valley.w[-1])
    low, high = (float(each) for each in torch.cat([steps.w, steps.new_w]).aminmax())
    left, right = max(min(low, 0.0), -furthest), min(max(high, 1.4 * valley.best.w, 0.5), furthest)
    room = ROOM * (right - left)
    return torch.linspace(left - (room if left < 0 else 0), right + room, CURVE, dtype=torch.float64)


def step_graph(steps: Stepped, w: Tensor, losses: Tensor, best: float) -> Graph:
    """The loss (W,) over w (W,), evenly: at every step its ball, its tangent, and the way to the new w."""
    reach = torch.maximum((steps.new_w - steps.w).abs(), TANGENT * (w[-1] - w[0]))
    sides = torch.stack([-reach, reach], 1)  # (E, 2)
    tangent = steps.w[:, None] + sides, steps.loss[:, None] + sides * steps.slope[:, None]
    across = torch.stack([steps.w, steps.new_w, steps.new_w], 1)  # over to the new w, and down or up to its loss
    rows = zip(*(column.tolist() for column in steps), strict=True)
    return Graph(
        "The valley",
        Axis("w", float(w[0]), float(w[-1])),
        _axis("loss", losses, floor=0.0),
        (Trace("loss", "reference", w, losses),),
        ball=(steps.w, steps.loss),
        marks=(Mark(f"best {short(best)}", best, float(losses[(w - best).abs().argmin()]), late=True),),
        moving=(
            Moving("tangent", "prediction", *tangent),
            Moving("step", "query", across, torch.stack([steps.loss, steps.loss, steps.new_loss], 1)),
        ),
        texts=tuple(_step_text(epoch, *each) for epoch, each in enumerate(rows, 1)),
    )


def _step_text(epoch: int, w: float, loss: float, slope: float, new_w: float, new_loss: float) -> str:
    return (
        f"Epoch {epoch}: at w = {short(w, 4)} the loss is {short(loss, 4)} and its slope {short(slope, 4)}. "
        f"The step leads to w = {short(new_w, 4)}, where the loss is {short(new_loss, 4)}."
    )


def epoch_graph(name: str, path: Path, values: Tensor, ghosts: Sequence[tuple[str, Path, Tensor]]) -> Graph:
    """One number over the epochs, with earlier runs as faint lines behind it."""
    longest = max([float(path.epochs[-1]), *(float(ghost.epochs[-1]) for _, ghost, _ in ghosts)])
    everything = torch.cat([values, *(numbers for _, _, numbers in ghosts)])
    traces = (
        *(Trace(called, "points", ghost.epochs, numbers, ghost=True) for called, ghost, numbers in ghosts),
        Trace(name, "prediction", path.epochs, values, grows=True),
    )
    return Graph(
        f"{name[0].upper()}{name[1:]}, epoch by epoch" if len(name) > 1 else f"{name}, epoch by epoch",
        Axis("epoch", 0, max(longest, 1)),
        _axis(name, everything),
        traces,
        ball=(path.epochs, values),
        text=f"{name} goes from {short(float(values[0]), 4)} to {short(float(values[-1]), 4)} "
        f"in {int(path.epochs[-1])} epochs.",
    )


def _axis(name: str, values: Tensor, floor: float | None = None) -> Axis:
    """An axis that holds every number, with a little room; a floor is where it begins at the latest."""
    low, high = float(values.min()), float(values.max())
    low = low if floor is None else min(low, floor)
    room = ROOM * (high - low) or max(abs(high), 1.0) * ROOM
    return Axis(name, low - (room if floor is None else 0), high + room)


def heads_graph(name: str, epochs: Tensor, values: Tensor) -> Graph:
    """One line per head (F, H) over the epochs; the ball follows the head that ends with the most."""
    ended = values[-1].tolist()
    most = ended.index(max(ended))
    lines = zip(HEAD_ROLES, values.unbind(1), strict=False)
    traces = tuple(Trace(f"head {h}", role, epochs, line, grows=True) for h, (role, line) in enumerate(lines, 1))
    return Graph(
        f"{name} of every head",
        Axis("epoch", 0, max(float(epochs[-1]), 1)),
        _axis(name, values),
        traces,
        ball=(epochs, values[:, most]),
        text=f"{name} of every head after {int(epochs[-1])} epochs: {', '.join(short(each) for each in ended)}.",
    )
