"""Below the learned w's picture: one step in numbers, the runs beside each other, and several heads."""

from collections.abc import Callable
from typing import NoReturn, cast

import pandas as pd
import streamlit as st

from attention_core.checks import InputError
from attention_core.data import truth
from attention_core.learning.step import OneStep, one_step
from attention_core.learning.training import Step, TrainingConfig
from attention_core.regression.quality import accuracy
from attention_ui.chapters.learned_w import cache
from attention_ui.chapters.learned_w.calls import at_epoch, each_head
from attention_ui.chapters.learned_w.export import exported_head_by_head, exported_run, head_titles
from attention_ui.chapters.learned_w.graphs import mixed_path
from attention_ui.chapters.learned_w.runs import MixedStep, Run, Trained, difference, epochs_of, runs_of
from attention_ui.chapters.learned_w.views import show_on_stage
from attention_ui.controls.widgets import slider
from attention_ui.export.view import View
from attention_ui.figures.charts import chart
from attention_ui.figures.heatmaps import show_heatmaps
from attention_ui.link.choice import note_text
from attention_ui.numbers import short


def one_epoch(page: str, run: Run) -> View:
    """What one epoch computes, with its numbers: the shapes, the slope, and the step."""
    steps, config = cast("list[Step]", run.steps), run.plan.config
    chosen = slider("Epoch", 1, max(len(steps), 2), 1, key=f"{page}_step")
    at = min(chosen, len(steps))
    w = config.w0 if at == 1 else steps[at - 2].w
    seen = one_step(run.plan.dataset.trained().samples, config, w, [step.gradient for step in steps[: at - 1]])
    left, right = st.columns(2)
    with left:
        st.markdown(shapes_table(seen))
        st.caption(
            "Every point is one query; its keys are all the other points."
            if config.leave_one_out
            else "Every point is one query; its keys are all points, itself too."
        )
    with right:
        st.latex(update_formula(seen, config, at))
    return View(no_picture("One step"))


def no_picture(view: str) -> Callable[[], NoReturn]:
    """What Download says where there is nothing but numbers."""

    def export() -> NoReturn:
        raise InputError(f"{view} has no picture to take home: open Train.")

    return export


def shapes_table(seen: OneStep) -> str:
    """The tensors of the epoch and their shapes, as a Markdown table."""
    rows = [f"| {name} | {' × '.join(f'{size:,}' for size in shape)} |" for name, shape in seen.shapes]
    return "\n".join(["| Tensor | Shape |", "| --- | ---: |", *rows])


def update_formula(seen: OneStep, config: TrainingConfig, epoch: int) -> str:
    """The loss, its slope and the step, with the numbers in their places."""
    factor = {"sum": "", "half": r"\tfrac12", "mean": r"\tfrac1n"}[config.loss]
    move = (
        rf"{short(config.learning_rate, 4)} \cdot ({short(seen.gradient, 5)})"
        if config.optimizer == "sgd"
        else rf"{short(seen.move, 5)}"
    )
    name = r"\eta\, g" if config.optimizer == "sgd" else r"\text{Adam's step}"
    return (
        r"\begin{aligned}"
        rf"L(w_{{{epoch - 1}}}) &= {factor}\sum_i \big(f_w(x_i) - y_i\big)^2 = {short(seen.loss, 6)} \\"
        rf"g = \frac{{dL}}{{dw}} &= {short(seen.gradient, 6)} \\"
        rf"w_{{{epoch}}} &= w_{{{epoch - 1}}} - {name} \\ &= {short(seen.w, 6)} - {move} \\ &= {short(seen.new_w, 6)}"
        r"\end{aligned}"
    )


def heads_trained(page: str, run: Run) -> View:
    """A run of several heads on the stage."""
    so_far = run.trained()
    mixed = mixed_path(so_far)
    frame = run.frame = min(run.frame, len(mixed.losses) - 1)
    epoch = int(mixed.epochs[frame])
    note_text(f"{page}_epoch", f"{epoch}", usual="0")
    show_on_stage(page, "stage", at_epoch(so_far, epoch), cache.packed_heads(so_far, run.replaces), frame, run)
    return View(lambda: exported_run(so_far, epoch))


def heads_in_a_row(page: str, run: Run) -> View:
    """The attention of every head at the end, under one scale, with its w and its share."""
    so_far = run.trained()
    ran = each_head(so_far)
    titles = head_titles(ran)
    chart(
        show_heatmaps(ran.shown["weights"][None], titles, "keys", "queries"),
        f"{page}_heads_row",
        f"Attention of {len(titles)} heads: {'; '.join(titles)}.",
        height=420,
    )
    st.caption(verdict_on_heads(float(ran.shown["shares"][-1].max())))
    return View(lambda: exported_head_by_head(so_far))


def verdict_on_heads(most: float) -> str:
    """Whether the heads share the work, by the largest share."""
    if most > 0.9:
        return f"One head does {most:.0%} of the work: for these points one width is enough. Try the data “Step”."
    return "The heads share the work: a sharp one follows what jumps, a wide one calms what is flat."


def compared(page: str, run: Run) -> View:
    """The current run and the last three, by what sets them apart."""
    rows = [row_of(each.trained(), run) for each in reversed(runs_of(page))]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"{page}_compared")
    if len(rows) == 1:
        st.caption("Change a control and train again: this run stays here, and as a faint line in the graphs.")
    return View(no_picture("Runs"))


def row_of(trained: Trained, current: Run) -> dict[str, str]:
    """One line of the comparison."""
    same = trained.plan == current.plan
    last = trained.steps[-1]
    w = ", ".join(short(each, 4) for each in last.w) if isinstance(last, MixedStep) else short(last.w, 5)
    row = {"Run": "Now" if same else difference(trained.plan, current.plan), "Final w": w}
    row["Final loss"] = short(final_loss(trained), 5)
    error = truth_error(trained)
    row["Error against the truth"] = "unknown" if error is None else short(error, 4)
    return row


def final_loss(trained: Trained) -> float:
    """The loss at the last w."""
    return float(epochs_of(trained)["losses"][-1])


def truth_error(trained: Trained) -> float | None:
    """Mean squared error against the truth, where it is known."""
    known = trained.plan.dataset.true_curve
    if not known:
        return None
    ended = at_epoch(trained, len(trained.steps)).shown
    return accuracy(ended["output"], truth(known, ended["queries"])).error
