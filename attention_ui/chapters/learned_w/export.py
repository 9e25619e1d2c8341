"""What the page of the learned w gives away: a run with its epochs, a hand's w, the two ends of a run, every head."""

from typing import NoReturn

import torch
from torch import Tensor

from attention_core.checks import InputError
from attention_core.learning.heads import mixed_outputs
from attention_core.regression.frames import group_size, key_groups, summed
from attention_ui.chapters.learned_w.computation import (
    MOST_PAIRED,
    at_epoch,
    both_ends,
    by_hand,
    each_head,
    is_restless,
)
from attention_ui.chapters.learned_w.graphs import Path, epoch_graph, heads_graph
from attention_ui.chapters.learned_w.runs import Plan, Trained, epochs_of
from attention_ui.export.computation import Computation
from attention_ui.export.still import still
from attention_ui.export.tables import outputs_table, points_table, run_table, stacked_table, weights_table
from attention_ui.export.view import Export
from attention_ui.numbers import short
from attention_ui.pictures.picture import Picture
from attention_ui.pictures.regression import fine_grid, one_frame, weights_beside

NAME = "learned-w"
BOTH = ("before", "after")


def exported_run(run: Trained, epoch: int) -> Export:
    """The run, of one w or of several heads, with the curve and the weights of the epoch that is shown."""
    computation = at_epoch(_begun(run), epoch, is_restless(run))
    dataset, shown, several = run.plan.dataset, computation.shown, run.plan.heads > 1
    w, losses, fine = shown["w"], shown["losses"], fine_grid(dataset)
    own = w[epoch].reshape(-1) / shown["x_scale"]
    shares = shown["shares"][epoch] if several else torch.ones(1, dtype=torch.float64)
    curve = mixed_outputs(fine, dataset.samples(), own, shares)
    path = Path(torch.arange(len(w), dtype=torch.float64), w, losses)
    of_w = heads_graph("w", path.epochs, w) if several else epoch_graph("w", path, w, ())
    graphs = epoch_graph("loss", path, losses, ()), of_w
    return Export(
        name=f"{NAME}-heads" if several else NAME,
        title=_run_title(run, epoch),
        figure=still(one_frame(dataset, curve, shown["weights"], graphs), frame=epoch),
        tables={
            "data": points_table(dataset),
            "run": run_table(shown["w"], losses, shown.get("shares")),
            "predictions": outputs_table(shown["queries"], prediction=shown["output"]),
            "weights": weights_table(shown["queries"], *_columns(shown["weights"])),
        },
        computation=computation,
    )


def _run_title(run: Trained, epoch: int) -> str:
    shown, plan = epochs_of(run), run.plan
    loss = f"loss {short(float(shown['losses'][epoch]), 4)}"
    if plan.heads > 1:
        return f"{plan.dataset.title}, {plan.heads} heads: epoch {epoch}, {loss}"
    return f"{plan.dataset.title}: epoch {epoch}, w = {short(float(shown['w'][epoch]), 4)}, {loss}"


def script(run: Trained) -> str:
    """The code that trains as the run did, and looks at its end."""
    last = len(run.steps)
    return at_epoch(run, last, is_restless(run)).script(NAME, _run_title(run, last)).text


def exported_both(run: Trained) -> Export:
    """The weights before the first epoch and after the last."""
    computation = both_ends(_begun(run), is_restless(run))
    dataset, shown = run.plan.dataset, computation.shown
    return Export(
        name=f"{NAME}-before-and-after",
        title=f"{dataset.title}: attention before and after training",
        figure=still(both_picture(run, computation)),
        tables={
            "data": points_table(dataset),
            "run": run_table(shown["w"], shown["losses"]),
            **{name: weights_table(shown["queries"], *_columns(shown[name])) for name in BOTH},
        },
        computation=computation,
    )


def both_picture(run: Trained, computation: Computation) -> Picture:
    """The weights before the first epoch and after the last, side by side."""
    return weights_beside(run.plan.dataset, both_titles(computation), (computation.shown[name] for name in BOTH))


def both_titles(computation: Computation) -> list[str]:
    """What stands above the two heatmaps."""
    first, last = (short(float(computation.shown["w"][epoch]), 4) for epoch in (0, -1))
    return [f"Before: w = {first}", f"After {len(computation.shown['w']) - 1} epochs: w = {last}"]


def exported_hand(plan: Plan, w: float) -> Export:
    """What a hand has set: its w, the leave-one-out loss there, the curve and the weights."""
    computation, dataset = by_hand(plan, w), plan.dataset
    shown = computation.shown
    own, alone = shown["w"] / shown["x_scale"], torch.ones(1, dtype=torch.float64)
    curve = mixed_outputs(fine_grid(dataset), dataset.samples(), own, alone)
    return Export(
        name=f"{NAME}-by-hand",
        title=f"{dataset.title}, by hand: w = {short(w, 4)}, loss {short(float(shown['losses'][0]), 5)}",
        figure=still(one_frame(dataset, curve, shown["weights"])),
        tables={
            "data": points_table(dataset),
            "predictions": outputs_table(shown["queries"], prediction=shown["output"]),
            "weights": weights_table(shown["queries"], *_columns(shown["weights"])),
        },
        computation=computation,
    )


def exported_head_by_head(run: Trained) -> Export:
    """What every head attends to at the end."""
    computation = each_head(_begun(run), is_restless(run))
    dataset, shown = run.plan.dataset, computation.shown
    names = [f"head {head}" for head in range(1, run.plan.heads + 1)]
    weights, size = _columns(shown["weights"])
    return Export(
        name=f"{NAME}-head-by-head",
        title=f"{dataset.title}: what each of {run.plan.heads} heads attends to",
        figure=still(heads_picture(run, computation)),
        tables={
            "data": points_table(dataset),
            "run": run_table(shown["w"], shown["losses"], shown["shares"]),
            "weights": stacked_table(names, weights, "head", size),
        },
        computation=computation,
    )


def heads_picture(run: Trained, computation: Computation) -> Picture:
    """The weights of every head at the end, side by side."""
    return weights_beside(run.plan.dataset, head_titles(computation), computation.shown["weights"])


def head_titles(computation: Computation) -> list[str]:
    """What stands above the heatmap of every head."""
    ended = zip(computation.shown["w"][-1].tolist(), computation.shown["shares"][-1].tolist(), strict=True)
    return [f"w = {short(w, 3)}, share {share:.0%}" for w, share in ended]


def _columns(weights: Tensor) -> tuple[Tensor, int]:
    """Weights (..., Q, K) and 1, or of many keys those that a heatmap shows, and how many neighbours they add up."""
    n = weights.shape[-1]
    return (weights, 1) if n <= MOST_PAIRED else (summed(weights, key_groups(n)), group_size(n))


def _begun(run: Trained) -> Trained:
    if not run.steps:
        raise InputError("No epoch is finished yet, so there is nothing to download: let the run go on first.")
    return run


def no_picture() -> NoReturn:
    """What Download says where there is no picture that can be kept."""
    raise InputError("Open Train to download a picture.")
