"""The kernel-regression lab: drag the width and watch attention sharpen."""

import streamlit as st

from attention_core.estimator import Estimator
from attention_core.frames import key_groups, summed
from attention_ui import cache, lab, stage
from attention_ui.layout import open_page
from attention_ui.scenes import queries_for, texts
from attention_ui.state.data import data_controls
from attention_ui.state.model import model_controls
from attention_ui.state.pinned import pinned_row, take_click
from attention_ui.state.width import keep_width, width_rules, width_slider

open_page(
    "Drag the width, watch attention sharpen",
    "Every prediction is an average of what was seen, **weighted by closeness**. You say how close is close.",
)
with st.sidebar:
    dataset = data_controls("kr")
    kernel, linear = model_controls("kr")
    width_rules("kr", lambda: cache.chosen_widths(dataset, kernel, linear))


@st.fragment  # a new width touches nothing outside, so only this much runs again
def attend() -> None:
    """The slider, the stage, and what follows from the width."""
    width, widths = width_slider("kr", dataset)
    samples, queries, estimator = dataset.samples(), queries_for(dataset), Estimator(width, kernel, linear)
    output, weights = estimator.pool(queries, samples)
    attention = estimator.attention(queries, samples) if linear else weights  # a local line tilts its weights
    pinned = pinned_row("kr", queries)
    now = lab.Lab("kr", dataset, estimator, queries, output, attention, pinned, tuple(widths))
    stage.show(
        "kr_stage",
        cache.packed_widths(dataset, kernel, linear, now.widths, "kr_width"),
        stage.Cue(
            widths.index(width),
            output,
            summed(weights, key_groups(len(samples.x))),
            pinned,
            *texts(output, weights, attention),
        ),
        on_query=lambda: take_click("kr", queries),
    )
    lab.remarks(now)
    lab.tabs(now)
    keep_width("kr", width)


attend()
st.latex(lab.equation(kernel, linear))
st.info("Sharpen until the curve follows every point. Which error in **Numbers** notices, and which one does not?")
