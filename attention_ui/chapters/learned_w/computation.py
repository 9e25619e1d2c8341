"""What the page of the learned w runs, and what its scripts run: the training as a call, and the look at one epoch."""

from dataclasses import replace
from types import ModuleType

import torch
from torch import Tensor

from attention_core.demos import learned_heads, learned_w
from attention_core.learning.heads import HeadsConfig, train_heads
from attention_core.learning.stretch import on_d2ls_scale
from attention_core.learning.training import LOSSES, train
from attention_core.learning.valley import loss_at
from attention_ui.chapters.learned_w.runs import Plan, Trained, epochs_of
from attention_ui.controls.dataset import Dataset
from attention_ui.export.computation import Computation
from attention_ui.export.points import points_call, queries_call
from attention_ui.export.writing import Call, Field, Known
from attention_ui.shared import shared

OPTIMIZERS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}
NUDGE, APART = 1e-13, 1e-10  # a start that is off by so little must not lead elsewhere by more than this
MOST_PAIRED = 5_000  # points: with more, a script that held the scores of all pairs would need gigabytes
MOST_CHECKED = 200_000_000  # pairs times epochs, about a second


@shared
def at_epoch(run: Trained, epoch: int, restless: bool = False) -> Computation:
    """The prediction and the weights at one epoch of a run; scripts of a restless one hold its path."""
    look = learned_w.attention_at if run.plan.heads == 1 else learned_heads.mixture_at
    call = Call(look, _training(run, restless), queries=queries_call(run.plan.dataset), epoch=epoch)
    return Computation(call, "curve_and_heatmap").computed()


@shared
def both_ends(run: Trained, restless: bool = False) -> Computation:
    """The weights before the first epoch and after the last."""
    call = Call(learned_w.before_and_after, _training(run, restless), queries=queries_call(run.plan.dataset))
    return Computation(call, "heatmaps", {"matrices": {name: Field(name) for name in ("before", "after")}}).computed()


@shared
def each_head(run: Trained, restless: bool = False) -> Computation:
    """The weights of every head at the end."""
    call = Call(learned_heads.head_by_head, _training(run, restless), queries=queries_call(run.plan.dataset))
    heads = {f"head {head + 1}": Field("weights", head) for head in range(run.plan.heads)}
    return Computation(call, "heatmaps", {"matrices": heads}).computed()


@shared
def by_hand(plan: Plan, w: float) -> Computation:
    """The prediction and the weights at the w of a hand, and the leave-one-out loss there."""
    path = torch.tensor([w], dtype=torch.float64)
    loss = loss_at(plan.dataset.trained().samples, w, True, plan.config.loss)
    known = _seen(plan.dataset) | {"w": path, "losses": torch.tensor([loss], dtype=torch.float64)}
    walk = Known(known, learned_w.losses_on, path, **_error(plan, learned_w, leave_one_out=True))
    call = Call(learned_w.attention_at, walk, queries_call(plan.dataset), 0)
    return Computation(call, "curve_and_heatmap").computed()


def _training(run: Trained, restless: bool) -> Known:
    """The call that trains as the run did, or one that holds its path."""
    plan, every = run.plan, epochs_of(run)
    known = _seen(plan.dataset) | every
    several = plan.heads > 1
    error = _error(plan, learned_heads if several else learned_w, plan.config.leave_one_out)
    if restless or _ran_away(run):
        path = [numbers for name, numbers in every.items() if name != "losses"]
        return Known(known, learned_heads.mixed_losses_on if several else learned_w.losses_on, *path, **error)
    descent = learned_heads.heads_descent if several else learned_w.gradient_descent
    settings = {
        "points": error.pop("points"),
        **({"starts": plan.starts} if several else {"w0": float(plan.config.w0)}),
        "learning_rate": plan.config.learning_rate,
        "epochs": max(len(run.steps), 1),  # a run may have been stopped
        "optimizer": OPTIMIZERS[plan.config.optimizer],
    }
    return Known(known, descent, **settings, **error)


def _ran_away(run: Trained) -> bool:
    """Whether w left the range in which its loss has a slope; a run ends there."""
    return bool(run.steps) and run.steps[-1].diverged


def _seen(dataset: Dataset) -> dict[str, Tensor | float]:
    keys, values = dataset.samples()
    return {"keys": keys, "values": values, "x_scale": dataset.trained().x_scale}


def _error(plan: Plan, demo: ModuleType, leave_one_out: bool) -> dict[str, object]:
    """What the loss is measured on, and how."""
    stretch = learned_w.unstretched if plan.dataset.has_truth else on_d2ls_scale
    share = LOSSES[plan.config.loss](len(plan.dataset.trained().samples.x))
    error = demo.left_out_error if leave_one_out else demo.training_error
    if len(plan.dataset.trained().samples.x) > MOST_PAIRED:
        error = demo.left_out_error_by_rows if leave_one_out else demo.training_error_by_rows
    return {"points": points_call(plan.dataset), "share": share, "error": error, "stretch": stretch}


@shared
def is_restless(run: Trained) -> bool:
    """Whether w jumps so far that the last digit decides where it goes: only the same arithmetic repeats such a run."""
    samples, steps = run.plan.dataset.trained().samples, len(run.steps)
    if len(samples.x) ** 2 * steps * run.plan.heads > MOST_CHECKED:
        return False
    config = replace(run.plan.config, epochs=max(steps, 1))
    if run.plan.heads == 1:
        other = [[step.w] for step in train(samples, replace(config, w0=config.w0 * (1 + NUDGE)))]
    else:
        starts = tuple(start * (1 + NUDGE) for start in run.plan.starts)
        other = [step.w.tolist() for step in train_heads(samples, HeadsConfig(starts, config))]
    here, there = epochs_of(run)["w"][1:].reshape(steps, -1), torch.tensor(other, dtype=torch.float64)
    return here.shape != there.shape or bool(((here - there).abs() > APART * here.abs().clamp(min=1)).any())
