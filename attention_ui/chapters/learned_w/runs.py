"""The runs of one visitor: the one on the stage, and the last three to compare it with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import streamlit as st
import torch
from torch import Tensor

from attention_core.learning.gradient import HeadsError
from attention_core.learning.heads import HeadsConfig, starts_apart, train_heads
from attention_core.learning.training import LOSSES, Step, TrainingConfig, train
from attention_core.learning.valley import loss_at
from attention_core.regression.frames import MOST_SHOWN
from attention_ui.controls.dataset import Dataset
from attention_ui.live.run import TrainingRun
from attention_ui.live.view import go_on_button, stop_button, watch
from attention_ui.numbers import short
from attention_ui.pictures.waiting import MANY, show_points, waiting

FEW_FRAMES = 30
GHOSTS = 3
AT_ONCE = 0.3  # seconds of training before a progress bar is due
LONG = 1.0  # seconds of training, about, that a link may start by itself


class MixedStep(NamedTuple):
    """One epoch of several heads: the loss before the update, and every head's w and share after it."""

    epoch: int
    loss: float
    w: tuple[float, ...]
    shares: tuple[float, ...]
    diverged: bool = False


AnyStep = Step | MixedStep


@dataclass(frozen=True)
class Plan:
    """What to train, on what; equal plans give equal runs, to the last digit."""

    dataset: Dataset
    config: TrainingConfig
    heads: int = 1

    def parts(self) -> Iterator[AnyStep]:
        """The training itself: a step per epoch."""
        samples = self.dataset.trained().samples
        if self.heads == 1:
            return train(samples, self.config)
        return (
            MixedStep(step.epoch, step.loss, tuple(step.w.tolist()), tuple(step.shares.tolist()), step.diverged)
            for step in train_heads(samples, HeadsConfig(self.starts, self.config))
        )

    @property
    def seconds(self) -> float:
        """About how long it takes to train."""
        n = len(self.dataset.trained().samples.x)
        return self.config.epochs * self.heads * (1e-4 + 8e-6 * min(n, 500) + 5e-7 * n)

    @property
    def starts(self) -> tuple[float, ...]:
        """Where every head's w begins."""
        return starts_apart(self.heads, self.config.w0 or 0.5)


class Trained(NamedTuple):
    """What a run has done so far; a value, so that pictures of it can be kept and shared."""

    plan: Plan
    steps: tuple[AnyStep, ...]


def epochs_of(run: Trained) -> dict[str, Tensor]:
    """Every w and the loss there, from before the first epoch on; of several heads each w (E + 1, H) and the shares.

    A step tells the loss before it, so the last one is worked out.
    """
    plan, config, samples = run.plan, run.plan.config, run.plan.dataset.trained().samples
    starts = config.w0 if plan.heads == 1 else plan.starts
    every = {"w": _column([starts, *(step.w for step in run.steps)])}
    if plan.heads == 1:
        last = loss_at(samples, float(every["w"][-1]), config.leave_one_out, config.loss)
    else:
        even = (1 / plan.heads,) * plan.heads
        mixed = cast("tuple[MixedStep, ...]", run.steps)
        every["shares"] = _column([even, *(step.shares for step in mixed)])
        error, _ = HeadsError(samples, config.leave_one_out)(every["w"][-1], every["shares"][-1].log())
        last = LOSSES[config.loss](len(samples.x)) * error
    return every | {"losses": _column([*(step.loss for step in run.steps), last])}


def _column(numbers: Sequence[float | tuple[float, ...]]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


class Run(TrainingRun[AnyStep]):
    """A training run, and how it is shown."""

    def __init__(self, page: str, plan: Plan, replaces: bool) -> None:
        super().__init__(plan.parts(), plan.config.epochs)
        self.page, self.plan = page, plan
        self.replaces = replaces  # another run of this visitor: then it plays by itself

    def trained(self) -> Trained:
        """What it has done so far."""
        return Trained(self.plan, tuple(self.steps))


def ghosts_of(run: Run) -> tuple[Trained, ...]:
    """The earlier runs, the oldest first; only those with as many heads can be drawn behind the current one."""
    *earlier, _ = runs_of(run.page)
    return tuple(each.trained() for each in earlier if each.plan.heads == run.plan.heads)


def difference(plan: Plan, other: Plan) -> str:
    """What sets a plan apart from another, in a few words."""
    mine, theirs = words(plan), words(other)
    return ", ".join(text for name, text in mine.items() if theirs[name] != text) or "the same"


def words(plan: Plan) -> dict[str, str]:
    """Every choice of a plan in words, by its name."""
    config, dataset = plan.config, plan.dataset
    return {
        "data": dataset.title,
        "n": f"{len(dataset.samples().x):,} points",
        "noise": f"noise {dataset.noise:g}",
        "seed": f"seed {dataset.seed}",
        "w0": f"w₀ {short(config.w0)}",
        "rate": f"rate {short(config.learning_rate)}",
        "epochs": f"{config.epochs} epochs",
        "optimizer": config.optimizer.upper() if config.optimizer == "sgd" else config.optimizer.capitalize(),
        "loss": f"loss: {config.loss}",
        "loo": "leave-one-out" if config.leave_one_out else "point included",
        "heads": f"{plan.heads} heads" if plan.heads > 1 else "1 head",
    }


def runs_of(page: str) -> list[Run]:
    """The runs of this page, the current one last."""
    kept: list[Run] = st.session_state.setdefault(f"{page}_runs", [])
    return kept


def run_of(page: str, plan: Plan) -> Run:
    """The run of this plan: the current one, or a new one that begins now and makes a ghost of the last."""
    runs = runs_of(page)
    if not runs or runs[-1].plan != plan:
        runs.append(Run(page, plan, replaces=bool(runs)))
        del runs[: -GHOSTS - 1]
        if len(runs) == 1 and plan.seconds > LONG:  # the link has asked for it, not the visitor
            runs[-1].advance(0)
            runs[-1].stop()
    if runs[-1].running:
        with waiting(f"{page}_begun", plan.dataset, "Training ...", points=True):
            runs[-1].advance(AT_ONCE)
    return runs[-1]


def finish(run: Run) -> None:
    """Train to the end under a progress bar; Stop, or a visitor who leaves, ends it at the next tick."""
    bar = st.progress(0.0, "Training ...")
    stop_button(run.page, run)
    if len(run.plan.dataset.samples().x) > MANY:
        with st.container(key=f"waiting_{run.page}_run"):
            show_points(f"{run.page}_run", run.plan.dataset)
    watch(run, bar, lambda: f"Epoch {run.step:,} of {run.total:,}")


def show_stopped(run: Run) -> None:
    """Say where a stopped run stands, and offer to go on; what a link asks for is begun by a press of Train."""
    if run.step == 1 and not run.replaces:
        st.caption(f"The link asks for {run.total:,} epochs, which take a while. Press **Train** to begin.")
        go_on_button(run.page, run, words="Train")
    else:
        st.caption(f"Stopped after epoch {run.step:,} of {run.total:,}.")
        go_on_button(run.page, run)


def most_frames(plan: Plan) -> int:
    """How many epochs become frames: every frame of thousands of points costs 30 ms."""
    return MOST_SHOWN if len(plan.dataset.samples().x) <= MANY else FEW_FRAMES
