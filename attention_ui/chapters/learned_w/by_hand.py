"""By hand: a slider over w, evenly in log w, to find the least loss; the best w is shown on request."""

import math

import streamlit as st
from torch import Tensor

from attention_core.learning.valley import Floor, loss_at
from attention_core.progress import part
from attention_ui.chapters.learned_w import cache
from attention_ui.chapters.learned_w.computation import by_hand
from attention_ui.chapters.learned_w.export import exported_hand
from attention_ui.chapters.learned_w.graphs import path_of
from attention_ui.chapters.learned_w.pictures import above
from attention_ui.chapters.learned_w.runs import Run
from attention_ui.chapters.learned_w.train import few, show_on_stage, waiting
from attention_ui.controls.sticky import sticky
from attention_ui.controls.widgets import select_slider, toggle
from attention_ui.export.view import View
from attention_ui.link.values import as_number
from attention_ui.numbers import short

STEPS, FEW_STEPS = 97, 33  # positions of the slider; of many points every one costs more


def show(run: Run) -> View:
    """The valley under a slider and the loss there; if asked for, also the best w and what training reached."""
    plan = run.plan
    with waiting(run.page, plan):
        with part(0.0, 0.5):
            valley = cache.valley_of(plan.dataset, plan.config.loss)
        with sticky(f"{run.page}_hand"):
            dragged, asked = st.columns([4, 1], vertical_alignment="center")
        with dragged:
            w, options = hand_slider(run.page, valley.w, STEPS if few(plan) else FEW_STEPS)
        with asked:
            revealed = toggle("Show the best w", key=f"{run.page}_reveal")
        with part(0.5, 1.0):
            packed = cache.packed_hand(plan, tuple(options), f"{run.page}_hand", revealed)
        computation = by_hand(plan, w)
        show_on_stage(run.page, "hand_stage", computation, packed, options.index(w))
    loss = float(computation.shown["losses"][0])
    yours = f"Your $w = {short(w, 4)}$ has a leave-one-out loss of **{short(loss, 5)}**"
    with st.container(key=f"{run.page}_hand_waits"):
        st.markdown(f"{yours}, {compared(loss, valley.best, run)}" if revealed else f"{yours}.")
    return View(lambda: exported_hand(plan, w))


def compared(loss: float, best: Floor, run: Run) -> str:
    """How far a loss is above the best, and whether it beats what training reached."""
    ended = float(path_of(run.trained()).w[-1])
    theirs = loss_at(run.plan.dataset.trained().samples, ended, True, run.plan.config.loss)
    return (
        f"{above(loss, best.loss)} above the best, {short(best.loss, 5)} at $w = {short(best.w, 4)}$. Gradient descent "
        f"ended at $w = {short(ended, 4)}$ with a loss of {short(theirs, 5)}: "
        f"{'yours is lower' if loss < theirs else 'its loss is lower' if loss > theirs else 'both are equal'}."
    )


def hand_options(w: Tensor, count: int = STEPS) -> list[float]:
    """Positions from the smallest to the largest w of the valley, three digits each."""
    low, high = float(w[0].log10()), float(w[-1].log10())
    return sorted({float(f"{10 ** (low + (high - low) * step / (count - 1)):.3g}") for step in range(count)})


def hand_slider(page: str, w: Tensor, count: int) -> tuple[float, list[float]]:
    """Draw the slider, which begins at w = 1, and return the chosen w and all its positions."""
    options = hand_options(w, count)

    def read(text: str) -> float | None:
        asked = as_number(text)
        if asked is None or not 0.99 * options[0] <= asked <= 1.01 * options[-1]:
            return None
        return min(options, key=lambda each: abs(math.log(each / asked)))

    chosen = select_slider(
        "Drag w to the lowest loss",
        {each: f"w {short(each)} · σ {short(1 / each)}" for each in options},
        min(options, key=lambda each: abs(each - 1)),
        key=f"{page}_hand",
        read=read,
    )
    return chosen, options
