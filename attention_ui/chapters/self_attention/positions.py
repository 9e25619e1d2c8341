"""Positional encoding: the waves, and a step of any size as one rotation."""

import streamlit as st

from attention_core.transformer.positions import frequencies
from attention_ui.chapters.self_attention.computation import positions_computation
from attention_ui.chapters.self_attention.export import positions_export, positions_script
from attention_ui.chapters.self_attention.pictures_positions import MOST, SHOWN, position_picture
from attention_ui.controls import widgets
from attention_ui.controls.sticky import sticky
from attention_ui.controls.widgets import multiselect, segmented
from attention_ui.export.code import code
from attention_ui.export.view import View
from attention_ui.link.lesson import ask_with
from attention_ui.numbers import short
from attention_ui.pictures.picture import Update, pack, show_picture
from attention_ui.shared import shared
from attention_ui.shown import show_formula

WIDTHS = (8, 16, 32)
USUAL = 32
COLUMNS = (0, 4, 6, 8)  # to begin with; fewer where the encoding is narrow
MOST_COLUMNS = 4
FORMULA = r"""\begin{gathered}
P_{p,2j} = \sin(p\,\omega_j),\quad P_{p,2j+1} = \cos(p\,\omega_j) \\
\omega_j = 10000^{-2j/d} \\
\begin{bmatrix}\cos k\omega_j & \sin k\omega_j\\ -\sin k\omega_j & \cos k\omega_j\end{bmatrix}
P_p^{(j)} = P_{p+k}^{(j)}
\end{gathered}"""
QUESTION = (
    "Drag $k$ and compare the second heatmap with the first. Which pair on the circle turns fastest, which slowest? "
    "What can a slow pair tell that a fast one cannot?"
)


def show(page: str) -> View:
    """The live offset, and everything that follows it."""
    slider = f"{page}_offset"
    with sticky(page):
        offset = widgets.slider("Drag the offset $k$", 0, MOST, 8, key=slider)
    picture = st.container()
    position, width, columns = st.columns([4, 2, 3], gap="medium")
    with position:
        place = widgets.slider("Position $p$", 0, SHOWN - 1, 0, key=f"{page}_position")
    with width:
        wide = segmented("Dimensions $d$", {d: str(d) for d in WIDTHS}, USUAL, key=f"{page}_width")
    with columns:
        chosen = _columns(page, wide)
    with picture:
        show_picture(f"{page}_positions_picture", packed(wide, place, chosen, slider), Update(offset))
    with st.container(key=f"{slider}_waits"):
        st.markdown(in_words(wide, offset))
    show_formula(FORMULA)
    ask_with(QUESTION, "offset")
    code(page, lambda: positions_script(wide, offset))
    return View(lambda: positions_export(wide, place, chosen, offset))


def _columns(page: str, width: int) -> tuple[int, ...]:
    """Up to four columns of P to draw as waves."""
    usual = [column for column in COLUMNS if column < width]
    chosen = multiselect("Columns as waves", range(width), usual, key=f"{page}_columns_{width}", most=MOST_COLUMNS)
    return tuple(chosen or usual[:1])


@shared
def packed(width: int, position: int, columns: tuple[int, ...], slider: str) -> bytes:
    """The pictures at every offset, as bytes."""
    return pack(position_picture(width, position, columns, slider))


def in_words(width: int, offset: int) -> str:
    """How fast the pairs turn, and how exactly the rotation lands."""
    speeds = frequencies(width)
    gap = positions_computation(width, offset).shown["gap"].item()
    return (
        f"**Moving {offset} places on is the same rotation from every position.** Pair 0 turns by "
        f"{short(offset * speeds[0].item())} rad, the last one by {short(offset * speeds[-1].item())} rad. Every "
        f"rotated row is the encoding of $p + {offset}$: the largest difference is **{gap:.0e}**. So $W_q$ can make "
        "each word attend a fixed number of places back. The product of two positions depends only on their distance."
    )
