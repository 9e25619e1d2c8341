"""A heatmap shows who listens to whom, all at once."""

import streamlit as st

from attention_core.demos.listening import listening
from attention_core.demos.patterns import PATTERNS
from attention_ui.chapters.heatmaps import gallery
from attention_ui.chapters.heatmaps.calls import patterns_ran
from attention_ui.chapters.heatmaps.choices import pattern_controls, row_slider, shared_scale, sharpness_slider, source
from attention_ui.chapters.heatmaps.export import (
    exported_lab,
    exported_own,
    exported_patterns,
    lab_script,
    own_script,
    patterns_script,
)
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix, own_matrix
from attention_ui.controls.tabs import open_tab
from attention_ui.export.dialog import offer
from attention_ui.export.view import View
from attention_ui.figures.charts import chart, code
from attention_ui.frame.layout import open_page

tools = open_page(
    "Who listens to whom",
    "One row per query, one column per key: stronger colour, more weight. **Every row shares out exactly 1.**",
)


def patterns() -> View:
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
        weights = patterns_ran(chosen, sharpness).shown["weights"]
        labelled = {PATTERNS[name].label: matrix for name, matrix in weights.items()}
        st.markdown(gallery.row_table(listening(labelled), row))
    else:
        figure, words = gallery.lab_heatmaps()
        chart(figure, "heatmaps_lab", words, height=430)
        st.caption("Kernel regression on 50 points, before and after its width was chosen by leaving points out.")
    st.latex(r"\text{weights} = \operatorname{softmax}(\text{sharpness} \cdot \text{scores})")
    st.caption("A mask is a score of $-\\infty$: softmax turns it into a weight of 0.")
    st.info("Drag the sharpness from end to end. Which pictures never change, and what do their scores have in common?")
    if tab == "lab":
        code("heatmaps", lab_script)
        return View(exported_lab)
    code("heatmaps", lambda: patterns_script(chosen, sharpness))
    return View(lambda: exported_patterns(chosen, sharpness))


def own(matrix: OwnMatrix, shared: bool) -> View:
    """A visitor's weights in the same frames."""
    row = row_slider("heatmaps", matrix.weights.shape[2])
    gallery.show("heatmaps_gallery", gallery.packed_own(matrix, "heatmaps", shared))
    if words := gallery.shared_cells(matrix):
        st.caption(words)
    st.markdown(gallery.row_table(matrix.ran.shown, row, "Matrix"))
    st.info("Which query listens to the fewest keys, and is there a key that everyone listens to?")
    code("heatmaps", lambda: own_script(matrix))
    return View(lambda: exported_own(matrix, shared))


with st.sidebar:
    showing = source("heatmaps")
    brought = own_matrix("heatmaps") if showing == "own" else None
    shared = brought is not None and shared_scale("heatmaps")
if showing == "own" and brought is None:
    st.info("Upload or paste attention weights in the sidebar, and they hang here.")
else:
    view = patterns() if brought is None else own(brought, shared)
    offer(tools, view.export)
    view.afterwards()
