"""What training computes, kept by what it depends on and shared by all visitors (see pictures/cache.py)."""

from typing import cast

import torch

from attention_core.learning.diagnosis import Diagnosis, diagnose
from attention_core.learning.remedy import Remedy, remedy
from attention_core.learning.training import Step
from attention_core.learning.valley import Valley, valley
from attention_ui.chapters.learned_w.graphs import path_measured_as, path_of, step_graph, stepped, stepped_over
from attention_ui.chapters.learned_w.pictures import hand_picture, heads_picture, run_picture, steps_picture
from attention_ui.chapters.learned_w.runs import Plan, Trained, difference
from attention_ui.controls.dataset import Dataset
from attention_ui.pictures.picture import pack
from attention_ui.shared import shared


@shared
def valley_of(dataset: Dataset, loss: str) -> Valley:
    """The training loss over w, with and without leaving each point out, and its lowest point."""
    return valley(dataset.trained().samples, loss)


@shared
def packed_run(run: Trained, ghosts: tuple[Trained, ...], autoplay: bool) -> bytes:
    """The frames of a run, with earlier runs behind its graphs, as bytes for the stage."""
    loss = run.plan.config.loss
    earlier = [(difference(ghost.plan, run.plan), path_measured_as(ghost, loss)) for ghost in ghosts]
    walked = valley_of(run.plan.dataset, loss)
    return pack(run_picture(run.plan, path_of(run), walked, earlier, autoplay))


@shared
def packed_hand(plan: Plan, w: tuple[float, ...], slider: str, revealed: bool) -> bytes:
    """The frames of every position of the hand's slider, as bytes for the stage."""
    places = torch.tensor(w, dtype=torch.float64)
    return pack(hand_picture(plan, valley_of(plan.dataset, plan.config.loss), places, slider, revealed))


@shared
def packed_steps(run: Trained, slider: str) -> bytes:
    """Every step of a run of one head on the valley, as bytes for the browser."""
    plan, steps = run.plan, stepped(run)
    known = valley_of(plan.dataset, plan.config.loss)
    over = valley(plan.dataset.trained().samples, plan.config.loss, stepped_over(steps, known))
    losses = over.leave_one_out if plan.config.leave_one_out else over.with_itself
    return pack(steps_picture(steps, step_graph(steps, over.w, losses, known.best.w), slider))


@shared
def packed_heads(run: Trained, autoplay: bool) -> bytes:
    """The frames of a run of several heads, as bytes for the stage."""
    return pack(heads_picture(run, autoplay))


@shared
def judged(run: Trained) -> tuple[Diagnosis, Remedy | None]:
    """How a run ended, and what would have worked."""
    samples, config = run.plan.dataset.trained().samples, run.plan.config
    best = valley_of(run.plan.dataset, config.loss).best
    found = diagnose(cast("tuple[Step, ...]", run.steps), samples, config, best)
    return found, remedy(samples, config, found.outcome, best)
