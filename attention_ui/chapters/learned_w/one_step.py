"""One step: what one epoch computes, with its numbers, and its tangent and its step on the valley."""

from typing import cast

import streamlit as st

from attention_core.learning.step import OneStep, one_step
from attention_core.learning.training import Step, TrainingConfig
from attention_ui.chapters.learned_w import cache
from attention_ui.chapters.learned_w.export import no_picture
from attention_ui.chapters.learned_w.runs import Run
from attention_ui.chapters.learned_w.train import waiting
from attention_ui.controls.sticky import sticky
from attention_ui.controls.widgets import slider
from attention_ui.export.view import View
from attention_ui.numbers import short, table
from attention_ui.pictures.picture import Update, show_picture
from attention_ui.shown import show_formula


def show(run: Run) -> View:
    """The steps of all epochs on the valley, and of one of them the shapes, the slope and the new w."""
    steps, config = cast("list[Step]", run.steps), run.plan.config
    with sticky(f"{run.page}_step"):
        chosen = slider("Drag through the epochs to see every step", 1, max(len(steps), 2), 1, key=f"{run.page}_step")
    at = min(chosen, len(steps))
    left, right = st.columns([3, 2])
    with left, waiting(run.page, run.plan):
        packed = cache.packed_steps(run.trained(), f"{run.page}_step")
        show_picture(f"{run.page}_steps", packed, Update(at - 1))
    w = config.w0 if at == 1 else steps[at - 2].w
    seen = one_step(run.plan.dataset.trained().samples, config, w, [step.gradient for step in steps[: at - 1]])
    with right, st.container(key=f"{run.page}_step_waits"):
        show_formula(update_formula(seen, config, at))
    with right:
        st.markdown(shapes_table(seen))
        others = "all other points" if config.leave_one_out else "all points, itself included"
        st.caption(f"Every point is one query; its keys are {others}.")
    return View(no_picture)


def shapes_table(seen: OneStep) -> str:
    """The tensors of the epoch and their shapes, as a Markdown table."""
    rows = [(name, " × ".join(f"{size:,}" for size in shape)) for name, shape in seen.shapes]
    return table(("Tensor", "Shape"), rows)


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
