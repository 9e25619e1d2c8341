"""Below the learned w's picture: one step in numbers, the runs beside each other, several heads, and the code."""

from typing import cast

import pandas as pd
import streamlit as st
import torch

from attention_core.data import truth
from attention_core.learning.heads import head_weights, predict_heads
from attention_core.learning.step import OneStep, one_step
from attention_core.learning.training import Step, TrainingConfig
from attention_core.regression.frames import key_groups, summed
from attention_core.regression.quality import accuracy
from attention_ui.chapters.learned_w import cache
from attention_ui.chapters.learned_w.graphs import mixed_path
from attention_ui.chapters.learned_w.runs import MixedStep, Run, Trained, difference, runs_of, take_frame
from attention_ui.chapters.learned_w.views import pooled
from attention_ui.controls.pinned import pinned_row, take_click
from attention_ui.controls.widgets import slider
from attention_ui.figures.charts import chart
from attention_ui.figures.heatmaps import show_heatmaps
from attention_ui.link.choice import note_text
from attention_ui.numbers import short
from attention_ui.pictures import Update, show_picture
from attention_ui.pictures.scenes import queries_for, texts


def one_epoch(page: str, run: Run) -> None:
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


def heads_trained(page: str, run: Run) -> None:
    """A run of several heads on the stage."""
    dataset, mixed = run.plan.dataset, mixed_path(run.trained())
    frame = run.frame = min(run.frame, len(mixed.losses) - 1)
    queries, scale = queries_for(dataset), dataset.trained().x_scale
    output, weights = predict_heads(queries, dataset.samples(), mixed.w[frame] / scale, mixed.shares[frame])
    columns = summed(weights, key_groups(len(dataset.samples().x)))
    note_text(f"{page}_epoch", f"{mixed.epochs[frame]:.0f}" if frame else "0", usual="0")
    show_picture(
        f"{page}_stage",
        cache.packed_heads(run.trained(), run.replaces),
        Update(frame, output, columns, pinned_row(page, queries), *texts(output, weights)),
        on_query=lambda: take_click(page, queries),
        on_frame=lambda: take_frame(page, run),
    )


def heads_in_a_row(page: str, run: Run) -> None:
    """The attention of every head at the end, under one scale, with its w and its share."""
    dataset, last = run.plan.dataset, cast("MixedStep", run.steps[-1])
    w = torch.tensor(last.w, dtype=torch.float64) / dataset.trained().x_scale
    weights = head_weights(queries_for(dataset), dataset.samples().x, w)  # (H, Q, K)
    titles = [f"w = {short(w, 3)}, share {share:.0%}" for w, share in zip(last.w, last.shares, strict=True)]
    chart(
        show_heatmaps(weights[None], titles, "keys", "queries"),
        f"{page}_heads_row",
        f"Attention of {len(titles)} heads: {'; '.join(titles)}.",
        height=420,
    )
    st.caption(verdict_on_heads(last))


def verdict_on_heads(last: MixedStep) -> str:
    """Whether the heads share the work."""
    most = max(last.shares)
    if most > 0.9:
        return f"One head does {most:.0%} of the work: for these points one width is enough. Try the data “Step”."
    return "The heads share the work: a sharp one follows what jumps, a wide one calms what is flat."


def compared(page: str, run: Run) -> None:
    """The current run and the last three, by what sets them apart."""
    rows = [row_of(each.trained(), run) for each in reversed(runs_of(page))]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"{page}_compared")
    if len(rows) == 1:
        st.caption("Change a control and train again: this run stays here, and as a faint line in the graphs.")


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
    path = mixed_path(trained) if trained.plan.heads > 1 else cache.path_of(trained)
    return float(path.losses[-1])


def truth_error(trained: Trained) -> float | None:
    """Mean squared error against the truth, where it is known."""
    dataset = trained.plan.dataset
    if not dataset.true_curve:
        return None
    queries, last = queries_for(dataset), trained.steps[-1]
    if isinstance(last, MixedStep):
        w, shares = (torch.tensor(numbers, dtype=torch.float64) for numbers in (last.w, last.shares))
        output = predict_heads(queries, dataset.samples(), w, shares).output
    else:
        output = pooled(dataset, last.w).output
    return accuracy(output, truth(dataset.true_curve, queries)).error
