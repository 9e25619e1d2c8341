"""Home: one slider, one curve, one heatmap; the whole idea in one gesture."""

import streamlit as st
import torch

from attention_core.data import generate, query_grid, truth
from attention_core.pooling import average, kernel_pool, predict
from attention_ui.chapters import CHAPTERS
from attention_ui.charts import chart
from attention_ui.figures.curves import Axis, curves
from attention_ui.figures.heatmaps import show_heatmaps
from attention_ui.layout import open_page

open_page(
    "Attention is a weighted average",
    "Every prediction averages what we saw, **weighted by closeness**. Drag to say how close is close.",
)

WIDTHS = [float(f"{width:.2g}") for width in torch.logspace(1, -1.7, 55).tolist()]
width = st.select_slider(
    "How sharply should it attend? (width of the kernel, from blurred to sharp)",
    WIDTHS,
    value=min(WIDTHS, key=lambda each: abs(each - 1)),
    key="home_width",
    bind="query-params",
)

samples, queries = generate(), query_grid()
fine = torch.linspace(0, 5, 201, dtype=torch.float64)
weights = kernel_pool(queries, samples.x, samples.y, width).weights
lines = {
    "Truth": truth("wave", fine),
    "Average pooling": average(fine, samples.x, samples.y).output,
    "Prediction": predict(fine, samples.x, samples.y, width),
}

left, right = st.columns(2)
with left:
    chart(
        curves(samples, fine, lines, Axis("query (x)", 0, 5), Axis("output (y)", -1, 6)),
        "home_curve",
        f"50 samples, the true curve, their average, and the prediction at width {width}.",
        height=430,
    )
with right:
    chart(
        show_heatmaps(weights[None, None], x_label="keys, by number", y_label="queries, by number"),
        "home_weights",
        f"Attention weights of 50 queries over 50 keys; the largest is {weights.max():.3f}.",
        height=430,
    )

st.latex(r"f(q) = \sum_i \operatorname{softmax}_i\!\Big(-\tfrac12\big(\tfrac{q - k_i}{\text{width}}\big)^2\Big)\, v_i")
st.info("Drag to the sharp end. Why does the heatmap turn into a diagonal, and why does the curve start to wiggle?")

for chapter in CHAPTERS:
    with st.container(border=True):
        st.page_link(chapter.file, label=f"**{chapter.title}**")
        st.caption(chapter.claim)
