"""What a longer sequence costs: counted on paper, and measured here and now."""

import time

import streamlit as st
from torch import Tensor

from attention_core.transformer.cost import LAYERS, LENGTHS, measure
from attention_ui.chapters.self_attention import pictures_cost as pictures
from attention_ui.chapters.self_attention.computation import KERNEL, cost_computation
from attention_ui.chapters.self_attention.export import cost_export, cost_script
from attention_ui.controls.widgets import segmented, select_slider
from attention_ui.export.code import code
from attention_ui.export.view import View
from attention_ui.link.lesson import ask_with
from attention_ui.numbers import table as numbers_table
from attention_ui.pictures.picture import pack, show_picture

WIDTHS = (16, 64, 256)
USUAL = 64
BUDGET = 2.0  # seconds of work
SHOWING = 0.1  # seconds between two looks at the progress
QUESTION = (
    "In the table self-attention and the recurrent layer cost the same at $n = d$. Press **Measure now**: do "
    "their times meet at some length here? Which column of the table explains what you see?"
)

Best = dict[str, dict[int, float]]


def show(page: str) -> View:
    """The width, both charts side by side, and the table."""
    width_place, length_place = st.columns([1, 3], gap="medium")
    with width_place:
        width = segmented("Width $d$", {d: str(d) for d in WIDTHS}, USUAL, key=f"{page}_cost_width")
    with length_place:
        length = select_slider("Length $n$ for the table", {n: str(n) for n in LENGTHS}, 256, key=f"{page}_length")
    shown = cost_computation(width, length).shown
    paper, clock = st.columns(2, gap="medium")
    with paper:
        st.markdown("**Counted**: multiplications in matrix products")
        show_picture(f"{page}_counted", pack(pictures.counted(shown["multiplications"])))
    with clock:
        beside = not measured(page, width)
    with clock if beside else st.container():
        st.markdown(table(shown["table"]))
        st.caption(
            f"At $n = {length}$, $d = {width}$, and $k = {KERNEL}$ symbols that the convolution covers at a time. The "
            "table shows only the term that grows fastest, as the paper does. The chart counts every product: "
            "$2 n^2 d + 4 n d^2$ for self-attention (scores, averages and four maps), $6 n d^2$ for the GRU (three "
            "gates, each from input and state), $k n d^2$ for the convolution."
        )
    ask_with(QUESTION, "measure")
    code(page, lambda: cost_script(width, length))
    return View(lambda: cost_export(width, length, st.session_state[f"{page}_timings"].get(width)))


def measured(page: str, width: int) -> bool:
    """A button that measures, and the last times for this width; whether there are any."""
    head = st.container(horizontal=True, vertical_alignment="center")
    with head:
        st.markdown("**Measured**: seconds of one processor", width="stretch")
        pressed = st.button("Measure now", key=f"{page}_measure")
    kept: dict[int, Best] = st.session_state.setdefault(f"{page}_timings", {})
    if pressed:
        kept[width] = _timed(width)
    if width not in kept:
        st.caption(f"Press to run all three layers on this server; it takes about {BUDGET:.0f} seconds.")
        return False
    show_picture(f"{page}_measured", pack(pictures.measured(kept[width])))
    return True


def _timed(width: int) -> Best:
    """The best times, with a progress bar; a visitor who leaves stops it at the next look."""
    best: Best = {name: {} for name in LAYERS}
    bar, begun, looked = st.progress(0.0, "Measuring ..."), time.monotonic(), 0.0
    for timing in measure(LENGTHS, width, KERNEL, BUDGET):
        best[timing.layer][timing.length] = timing.seconds
        if (now := time.monotonic() - begun) - looked > SHOWING:
            looked = now
            bar.progress(min(now / BUDGET, 1.0), f"{LAYERS[timing.layer].label}: length {timing.length:,}")
    bar.empty()
    return best


def table(numbers: Tensor) -> str:
    """Operations, steps and paths (layers, 3), as Markdown: words to the left, numbers to the right."""
    rows = (
        (layer.label, f"${layer.formula}$ = {order:,}", str(steps), str(path))
        for layer, (order, steps, path) in zip(LAYERS.values(), numbers.tolist(), strict=True)
    )
    return numbers_table(("Layer", "Operations", "Steps one after another", "Longest path between two words"), rows)
