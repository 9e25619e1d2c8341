"""What is in the gallery, by the ids of its sources: patterns made by masks and scores, or a visitor's own weights."""

import streamlit as st

from attention_core.checks import InputError
from attention_core.demos.attending import attending
from attention_core.demos.patterns import PATTERNS
from attention_ui.chapters.heatmaps import export, gallery
from attention_ui.chapters.heatmaps.choices import (
    SHARPNESSES,
    Chosen,
    pattern_controls,
    row_slider,
    shared_scale,
    sharpness_slider,
)
from attention_ui.chapters.heatmaps.computation import lab_picture, patterns_computation
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix, load_sample, own_matrix
from attention_ui.controls.sticky import sticky
from attention_ui.controls.tabs import below_picture, open_tab
from attention_ui.export.code import code
from attention_ui.export.view import Export, View
from attention_ui.link.lesson import ask_with
from attention_ui.pictures.picture import pack, show_picture
from attention_ui.shown import ask, show_formula

TABS = {"rows": "Row by row", "lab": "From the lab"}
FORMULA = r"\text{weights} = \operatorname{softmax}(\text{sharpness} \cdot \text{scores})"


def patterns(page: str) -> View:
    """Patterns made by masks and scores, under one slider that sharpens them all."""
    with st.sidebar:
        chosen = pattern_controls(page)
    with sticky(page):
        left, right = st.columns([3, 2])
        with left:
            sharpness = sharpness_slider(page)
        with right:
            row = row_slider(page, chosen.n)
    gallery.show(f"{page}_gallery", gallery.packed_patterns(chosen, page), row, SHARPNESSES.index(sharpness))
    with below_picture(page):
        view = _rows(page, chosen, sharpness, row) if open_tab(page, TABS) == "rows" else _lab(page)
    show_formula(FORMULA)
    st.caption("A mask is a score of $-\\infty$; softmax turns it into a weight of 0.")
    words = "Drag the sharpness from end to end. Which pictures never change, and what do their scores have in common?"
    ask_with(words, "sharpness")
    return view


def _rows(page: str, chosen: Chosen, sharpness: float, row: int) -> View:
    """One row of every pattern in numbers."""
    weights = patterns_computation(chosen, sharpness).shown["weights"]
    labelled = {PATTERNS[name].label: matrix for name, matrix in weights.items()}
    with st.container(key=f"{page}_sharpness_waits"), st.container(key=f"{page}_row_waits"):
        st.markdown(gallery.row_table(attending(labelled), row))
    return View(
        lambda: export.exported_patterns(chosen, sharpness),
        lambda: code(page, lambda: export.patterns_script(chosen, sharpness)),
    )


def _lab(page: str) -> View:
    """The lab's own weights at two widths."""
    show_picture(f"{page}_lab", pack(lab_picture()))
    st.caption("Kernel regression on 50 points, before and after its width was chosen by leave-one-out.")
    return View(export.exported_lab, lambda: code(page, export.lab_script))


def own(page: str) -> View:
    """A visitor's weights in the same frames."""
    with st.sidebar:
        matrix = own_matrix(page)
        shared = matrix is not None and shared_scale(page)
    return _nothing_yet(page) if matrix is None else _shown(page, matrix, shared)


def _nothing_yet(page: str) -> View:
    st.info("Upload or paste attention weights in the sidebar, and they are shown here.")
    st.button("Load a sample", key=f"{page}_load", type="primary", on_click=load_sample, args=(page,))
    st.caption("The weights of a trained decoder, which writes eight digits in reverse.")
    return View(_nothing_to_download)


def _nothing_to_download() -> Export:
    raise InputError("There are no weights to download yet.")


def _shown(page: str, matrix: OwnMatrix, shared: bool) -> View:
    with sticky(page):
        row = row_slider(page, matrix.weights.shape[2])
    gallery.show(f"{page}_gallery", gallery.packed_own(matrix, page, shared), row)
    if words := gallery.shared_cells(matrix):
        st.caption(words)
    with st.container(key=f"{page}_row_waits"):
        st.markdown(gallery.row_table(matrix.computation.shown, row, "Matrix"))
    ask("Which query attends to the fewest keys? Is there a key that every query attends to?")
    return View(lambda: export.exported_own(matrix, shared), lambda: code(page, lambda: export.own_script(matrix)))


VIEWS = {"patterns": patterns, "own": own}
