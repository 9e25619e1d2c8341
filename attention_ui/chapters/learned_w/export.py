"""A run of the learned w to take home: its epochs, and the curve and the weights that it shows."""

from dataclasses import replace
from typing import cast

import torch
from torch import Tensor

from attention_core.checks import InputError
from attention_core.learning.model import NWKernelRegression
from attention_core.learning.training import Step
from attention_core.learning.valley import loss_at
from attention_ui.chapters.learned_w.graphs import Path, epoch_graph
from attention_ui.chapters.learned_w.runs import Plan, Trained
from attention_ui.chapters.learned_w.training_data import our_data, our_imports
from attention_ui.chapters.learned_w.training_scripts import ANSWER, ATTEND, CORE, our_script, plain_script, plain_top
from attention_ui.controls.dataset import Dataset
from attention_ui.export.export import Export
from attention_ui.export.still import still
from attention_ui.export.tables import outputs_table, points_table, run_table, weights_table
from attention_ui.figures.heatmaps import show_heatmaps
from attention_ui.numbers import short
from attention_ui.pictures.scenes import fine_grid, one_frame, queries_for

NAME = "learned-w"
BOTH = ("before", "after")


def exported_run(run: Trained, epoch: int) -> Export:
    """The run with the curve and the weights of the epoch that is shown."""
    w, losses = epochs_of(run)
    dataset = run.plan.dataset
    queries, (output, weights) = queries_for(dataset), answers(dataset, float(w[epoch]))
    curve, _ = answers(dataset, float(w[epoch]), fine_grid(dataset))
    path = Path(torch.arange(len(w), dtype=torch.float64), w, losses)
    graphs = epoch_graph("loss", path, losses, ()), epoch_graph("w", path, w, ())
    shown = f"output, weights = attend(w[{epoch}] / x_scale)"
    printed = f"\nprint(w[-1], losses[-1])  # where it ended\nprint(output)  # at epoch {epoch}\n"
    return Export(
        name=NAME,
        title=f"{dataset.title}: epoch {epoch}, w = {short(float(w[epoch]), 4)}, loss {short(float(losses[epoch]), 4)}",
        figure=still(one_frame(dataset, curve, weights, graphs), frame=epoch),
        tables={
            "data": points_table(dataset),
            "run": run_table(w, losses),
            "predictions": outputs_table(queries, prediction=output),
            "weights": weights_table(queries, weights),
        },
        script=our_script(run, ANSWER.format(name="output, weights", w=f"w[{epoch}]", part="")) + printed,
        plain=plain_script(run, shown) + printed,
        results={"w": w, "losses": losses, "output": output, "weights": weights},
    )


def exported_both(run: Trained) -> Export:
    """The weights before the first epoch and after the last."""
    w, losses = epochs_of(run)
    dataset, ends = run.plan.dataset, (float(w[0]), float(w[-1]))
    queries, weights = queries_for(dataset), torch.stack([answers(dataset, each)[1] for each in ends])  # (2, Q, K)
    titles = [f"Before: w = {short(ends[0], 4)}", f"After {len(w) - 1} epochs: w = {short(ends[1], 4)}"]
    answered = [ANSWER.format(name=name, w=f"w[{i}]", part=".weights") for name, i in zip(BOTH, (0, -1), strict=True)]
    attended = "_, before = attend(w[0] / x_scale)\n_, after = attend(w[-1] / x_scale)"
    printed = "\nprint(before.max(), after.max())  # the largest weight, before and after\n"
    return Export(
        name=f"{NAME}-before-and-after",
        title=f"{dataset.title}: attention before and after training",
        figure=show_heatmaps(weights[None], titles, "keys: the samples, sorted", "queries"),
        tables={
            "data": points_table(dataset),
            "run": run_table(w, losses),
            **{name: weights_table(queries, each) for name, each in zip(BOTH, weights, strict=True)},
        },
        script=our_script(run, "\n".join(answered)) + printed,
        plain=plain_script(run, attended) + printed,
        results={"w": w, "losses": losses, "before": weights[0], "after": weights[1]},
    )


def exported_hand(plan: Plan, w: float) -> Export:
    """What a hand has set: its w, the leave-one-out loss there, the curve and the weights."""
    dataset, config = plan.dataset, plan.config
    loss = loss_at(dataset.trained().samples, w, True, config.loss)
    queries, (output, weights) = queries_for(dataset), answers(dataset, w)
    curve, _ = answers(dataset, w, fine_grid(dataset))
    printed = "\nprint(loss)  # every point predicted from the others\nprint(output)\n"
    ours = f"w = {w!r}\nloss = loss_at(trained, w, leave_one_out=True, loss={config.loss!r})\n"
    answer = ANSWER.format(name="output, weights", w="w", part="")
    plain = f"w = {w!r}\nloss = loss_at(w)\noutput, weights = attend(w / x_scale)"
    return Export(
        name=f"{NAME}-by-hand",
        title=f"{dataset.title}, by hand: w = {short(w, 4)}, loss {short(loss, 5)}",
        figure=still(one_frame(dataset, curve, weights)),
        tables={
            "data": points_table(dataset),
            "predictions": outputs_table(queries, prediction=output),
            "weights": weights_table(queries, weights),
        },
        script=f"{our_imports(dataset, *CORE)}\n\n{our_data(dataset)}\n\n{ours}\n{answer}{printed}",
        plain=f"{plain_top(dataset, replace(config, leave_one_out=True))}{ATTEND}{plain}\n{printed}",
        results={"loss": torch.tensor(loss, dtype=torch.float64), "output": output, "weights": weights},
    )


def epochs_of(run: Trained) -> tuple[Tensor, Tensor]:
    """Every w and its loss, from before the first epoch on, each (E + 1,)."""
    if not run.steps:
        raise InputError("No epoch is finished yet, so there is nothing to take home: let the run go on first.")
    config, samples = run.plan.config, run.plan.dataset.trained().samples
    steps = cast("tuple[Step, ...]", run.steps)
    w = [config.w0, *(step.w for step in steps)]
    losses = [*(step.loss for step in steps), loss_at(samples, w[-1], config.leave_one_out, config.loss)]
    return torch.tensor(w, dtype=torch.float64), torch.tensor(losses, dtype=torch.float64)


@torch.no_grad()
def answers(dataset: Dataset, w: float, queries: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """What the model answers at this w of the training, and with which weights."""
    asked = queries_for(dataset) if queries is None else queries
    output, weights = NWKernelRegression(dataset.trained().w_back(w))(asked, *dataset.samples())
    return output, weights
