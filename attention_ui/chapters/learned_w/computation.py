"""What the page of the learned w runs, and what its scripts run: the training as a call, and the look at one epoch."""

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attention_core.demos import learned_heads, learned_w
from attention_core.learning.heads import HeadsConfig, learned_together, train_heads
from attention_core.learning.stretch import Stretch, on_d2ls_scale, unstretched
from attention_core.learning.training import LOSSES, learned, train
from attention_core.learning.training import OPTIMIZERS as MOVES
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
    settings = {name: _settings(plan)[name] for name in ("points", "share")}
    walk = Known(known, learned_w.losses_on, path, **settings, **_error(replace(plan, heads=1), leave_one_out=True))
    call = Call(learned_w.attention_at, walk, queries_call(plan.dataset), 0)
    return Computation(call, "curve_and_heatmap").computed()


def _training(run: Trained, restless: bool) -> Known:
    """The call that trains as the run did; in torch alone by autograd, or one that holds its path."""
    plan, known = run.plan, _seen(run.plan.dataset) | epochs_of(run)
    settings = _settings(plan) | {"epochs": max(len(run.steps), 1), "learning_rate": plan.config.learning_rate}
    function, stretch = learned_together if plan.heads > 1 else learned, _stretch(plan)
    optimizer, leave_one_out = MOVES[plan.config.optimizer], plan.config.leave_one_out
    made = Known(known, function, **settings, optimizer=optimizer, leave_one_out=leave_one_out, stretch=stretch)
    made.alone = _path(run, known) if restless or _ran_away(run) else _by_autograd(plan, settings)
    return made


def _settings(plan: Plan) -> dict[str, Any]:
    """What is learned from, where it begins, and how the loss is measured."""
    start = {"starts": plan.starts} if plan.heads > 1 else {"w0": float(plan.config.w0)}
    return {"points": points_call(plan.dataset), **start, "share": LOSSES[plan.config.loss](_count(plan))}


def _by_autograd(plan: Plan, settings: dict[str, Any]) -> Call:
    """The call that takes the same steps by autograd and torch.optim."""
    descent = learned_heads.heads_descent if plan.heads > 1 else learned_w.gradient_descent
    optimizer = OPTIMIZERS[plan.config.optimizer]
    return Call(descent, **settings, optimizer=optimizer, **_error(plan, plan.config.leave_one_out))


def _path(run: Trained, known: dict[str, Any]) -> Call:
    """The call that holds the path of a run, and works its losses out."""
    losses = learned_heads.mixed_losses_on if run.plan.heads > 1 else learned_w.losses_on
    path = [known[name] for name in ("w", "shares") if name in known]
    settings = _settings(run.plan)
    given = {"points": settings["points"], "share": settings["share"]}
    return Call(losses, *path, **given, **_error(run.plan, run.plan.config.leave_one_out))


def _ran_away(run: Trained) -> bool:
    """Whether w left the range in which its loss has a slope; a run ends there."""
    return bool(run.steps) and run.steps[-1].diverged


def _seen(dataset: Dataset) -> dict[str, Tensor | float]:
    keys, values = dataset.samples()
    return {"keys": keys, "values": values, "x_scale": dataset.trained().x_scale}


def _count(plan: Plan) -> int:
    return len(plan.dataset.trained().samples.x)


def _stretch(plan: Plan) -> Stretch:
    return unstretched if plan.dataset.has_truth else on_d2ls_scale


def _error(plan: Plan, leave_one_out: bool) -> dict[str, object]:
    """The loss that autograd follows, and how points come to d2l's scale."""
    demo = learned_heads if plan.heads > 1 else learned_w
    error = demo.left_out_error if leave_one_out else demo.training_error
    if _count(plan) > MOST_PAIRED:
        error = demo.left_out_error_by_rows if leave_one_out else demo.training_error_by_rows
    return {"error": error, "stretch": _stretch(plan)}


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
