"""The picture of a learned w: a frame per epoch of a run, or per place of a hand; pure, no Streamlit."""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attention_core.learning.heads import mixed_frames
from attention_core.learning.valley import Valley
from attention_core.learning.valley import valley as valley_over
from attention_core.regression.frames import Frames, w_frames
from attention_ui.chapters.learned_w.graphs import (
    Mixed,
    Path,
    Stepped,
    epoch_graph,
    heads_graph,
    mixed_path,
    valley_graph,
)
from attention_ui.chapters.learned_w.runs import Plan, Trained
from attention_ui.controls.dataset import Dataset
from attention_ui.numbers import short
from attention_ui.pictures.curve import curve_and_weights
from attention_ui.pictures.graph import Graph
from attention_ui.pictures.picture import Picture, Player, Readout
from attention_ui.pictures.regression import axes_of, fine_grid, queries_for, reference_lines

SECONDS = 5.0  # about what a run takes at normal speed
SLOWEST, FASTEST = 2.0, 30.0  # frames a second


def run_picture(plan: Plan, path: Path, valley: Valley, ghosts: Sequence[tuple[str, Path]], autoplay: bool) -> Picture:
    """A run as frames to play, with the valley it walks in, and its loss and w over the epochs."""
    graphs = (
        valley_graph(valley, path.w, path.losses, trail=True),
        epoch_graph("loss", path, path.losses, [(name, ghost, ghost.losses) for name, ghost in ghosts]),
        epoch_graph("w", path, path.w, [(name, ghost, ghost.w) for name, ghost in ghosts]),
    )
    rate = min(max(len(path.w) / SECONDS, SLOWEST), FASTEST)
    player = Player(rate, "epoch", "Train", autoplay)
    return replace(w_picture(plan.dataset, path.w), captions=captions(path), player=player, graphs=graphs, small=True)


def captions(path: Path) -> tuple[str, ...]:
    """Where the run stands at every frame, in words."""
    rows = zip(*(column.tolist() for column in path), strict=True)
    return tuple(f"epoch {epoch:.0f} · w {short(w, 4)} · loss {short(loss, 4)}" for epoch, w, loss in rows)


def hand_picture(plan: Plan, valley: Valley, w: Tensor, slider: str, revealed: bool) -> Picture:
    """One frame per position of the hand's slider, with the loss there and, if revealed, the best w."""
    samples, config = plan.dataset.trained().samples, plan.config
    found = valley_over(samples, config.loss, w)
    losses = found.leave_one_out.tolist()
    readouts = [Readout("loss at this w", tuple(short(loss, 5) for loss in losses))]
    if revealed:
        readouts.append(Readout("above the best", tuple(above(loss, valley.best.loss) for loss in losses)))
    graph = valley_graph(valley, w, torch.tensor(losses, dtype=torch.float64), trail=False, best_shown=revealed)
    picture = w_picture(plan.dataset, w)
    texts = tuple(f"w {short(each)}" for each in w.tolist())
    moved = replace(picture, captions=texts, slider=slider, readouts=tuple(readouts), graphs=(graph,))
    return replace(moved, small=True, beside=True)


def above(loss: float, best: float) -> str:
    """By how much a loss exceeds the best one, in per cent of it."""
    return f"{100 * max(loss / best - 1, 0):.2f} %" if best > 0 else short(loss - best)


def steps_picture(steps: Stepped, graph: Graph, slider: str) -> Picture:
    """One frame per epoch: its step on the valley, and the numbers of it."""
    numbers = {
        "w": steps.w,
        "loss": steps.loss,
        "slope": steps.slope,
        "step": steps.new_w - steps.w,
        "new w": steps.new_w,
    }
    readouts = tuple(Readout(name, tuple(short(each, 4) for each in of.tolist())) for name, of in numbers.items())
    captions = tuple(f"epoch {epoch}" for epoch in range(1, len(steps.w) + 1))
    return Picture((), captions, readouts, (graph,), slider=slider)


def w_picture(dataset: Dataset, w: Tensor) -> Picture:
    """Curve and weights for every w (F,), on the data as they were measured."""
    frames = w_frames(dataset.samples(), _queries(dataset), w / dataset.trained().x_scale)
    return _picture(dataset, frames, ("",) * len(w))


def _queries(dataset: Dataset) -> tuple[Tensor, Tensor]:
    """A fine grid for the curve, and the rows of the heatmap."""
    return fine_grid(dataset), queries_for(dataset)


def _picture(dataset: Dataset, frames: Frames, captions: tuple[str, ...]) -> Picture:
    """Curve and weights of these frames, with the lines to compare them with."""
    queries = _queries(dataset)
    lines = reference_lines(dataset, queries[0])
    return Picture(curve_and_weights(dataset.samples(), frames, queries, axes_of(dataset, lines), lines), captions)


def heads_picture(run: Trained, autoplay: bool) -> Picture:
    """A run of several heads: the mixed prediction and attention, and every head's w and share over the epochs."""
    plan, mixed = run.plan, mixed_path(run)
    dataset = plan.dataset
    own = mixed.w / dataset.trained().x_scale
    frames = mixed_frames(dataset.samples(), _queries(dataset), own, mixed.shares)
    graphs = (
        epoch_graph("loss", Path(mixed.epochs, mixed.losses, mixed.losses), mixed.losses, []),
        heads_graph("w", mixed.epochs, mixed.w),
        heads_graph("share", mixed.epochs, mixed.shares),
    )
    rate = min(max(len(mixed.losses) / SECONDS, SLOWEST), FASTEST)
    return replace(
        _picture(dataset, frames, mixed_captions(mixed)),
        player=Player(rate, "epoch", "Train", autoplay),
        graphs=graphs,
        small=True,
    )


def mixed_captions(mixed: Mixed) -> tuple[str, ...]:
    """Where a run of several heads stands at every frame."""
    rows = zip(mixed.epochs.tolist(), mixed.losses.tolist(), mixed.w.tolist(), strict=True)
    return tuple(
        f"epoch {epoch:.0f} · w {', '.join(short(each) for each in w)} · loss {short(loss, 4)}"
        for epoch, loss, w in rows
    )
