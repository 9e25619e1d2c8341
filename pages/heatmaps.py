"""A heatmap shows who listens to whom, all at once."""

import streamlit as st

from attention_core.demos.patterns import PATTERNS, pattern_weights
from attention_ui.chapters.heatmaps import gallery
from attention_ui.chapters.heatmaps.choices import (
    pattern_controls,
    row_slider,
    shared_scale,
    sharpness_slider,
    source,
)
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix, own_matrix
from attention_ui.controls.tab import open_tab
from attention_ui.export import offer
from attention_ui.figures.charts import chart
from attention_ui.frame.layout import open_page

tools = open_page(
    "Who listens to whom",
    "One row per query, one column per key: stronger colour, more weight. **Every row shares out exactly 1.**",
)


def patterns() -> None:
    """Patterns made by masks and scores, under one slider that sharpens them all."""
    with st.sidebar:
        chosen = pattern_controls("heatmaps")
    left, right = st.columns([3, 2])
    with left:
        sharpness = sharpness_slider("heatmaps")
    with right:
        row = row_slider("heatmaps", chosen.n)
    gallery.show("heatmaps_gallery", gallery.packed_patterns(chosen, "heatmaps"))
    tab = open_tab("heatmaps", gallery.TABS)
    if tab == "rows":
        weights = pattern_weights(chosen.names, chosen.n, chosen.band, sharpness)
        titles = [PATTERNS[name].label for name in chosen.names]
        st.markdown(gallery.row_table(titles, weights, row))
    else:
        figure, words = gallery.lab_heatmaps()
        chart(figure, "heatmaps_lab", words, height=430)
        st.caption("Kernel regression on 50 points, before and after its width was chosen by leaving points out.")
    st.latex(r"\text{weights} = \operatorname{softmax}(\text{sharpness} \cdot \text{scores})")
    st.caption("A mask is a score of $-\\infty$: softmax turns it into a weight of 0.")
    st.info("Drag the sharpness from end to end. Which pictures never change, and what do their scores have in common?")
    code(gallery.snippet(chosen, sharpness))
    offer(tools, lambda: gallery.patterns_taken_home(chosen, sharpness, tab))


def own(matrix: OwnMatrix, shared: bool) -> None:
    """A visitor's weights in the same frames."""
    row = row_slider("heatmaps", matrix.weights.shape[2])
    gallery.show("heatmaps_gallery", gallery.packed_own(matrix, "heatmaps", shared))
    if words := gallery.shared_cells(matrix):
        st.caption(words)
    st.markdown(gallery.row_table(gallery.own_titles(matrix), matrix.weights.flatten(0, 1), row, "Matrix"))
    st.info("Which query listens to the fewest keys, and is there a key that everyone listens to?")
    code(gallery.own_snippet(matrix))
    offer(tools, lambda: gallery.own_taken_home(matrix, shared))


def code(text: str) -> None:
    """The code behind the picture, written only once it is asked for."""
    opened = st.expander("The code that made this picture", key="heatmaps_code", on_change="rerun")
    if opened.open:
        opened.code(text, language="python")


with st.sidebar:
    showing = source("heatmaps")
    brought = own_matrix("heatmaps") if showing == "own" else None
    shared = brought is not None and shared_scale("heatmaps")
if showing == "patterns":
    patterns()
elif brought is not None:
    own(brought, shared)
else:
    st.info("Upload or paste attention weights in the sidebar, and they hang here.")
