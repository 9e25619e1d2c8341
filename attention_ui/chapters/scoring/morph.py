"""The morph: move the keys onto the unit circle, and the Gaussian kernel becomes the dot product."""

from functools import lru_cache

import streamlit as st
import torch

from attention_core.demos.morph import Morph, morph, scattered
from attention_ui.controls import widgets
from attention_ui.figures.charts import code
from attention_ui.numbers import short
from attention_ui.pictures import Heatmap, Picture, Plane, Points, Readout, pack, show_picture

QUERIES, KEYS, LAST = 5, 7, 100  # the slider counts per cent
SEEDS = 393, 106  # of the queries and of the keys
ROUNDING = 1e-12  # a smaller difference between weights is none


def show(page: str) -> None:
    """The slider, the plane and three heatmaps that follow it, and the identity behind them."""
    slider = f"{page}_share"
    way, which = st.columns([4, 1], vertical_alignment="center", gap="medium")
    with way:
        percent = widgets.slider("Drag the keys onto the unit circle", 0, LAST, 0, format="%d %%", key=slider)
    with which:
        both = widgets.toggle("Move the queries too", key=f"{page}_both")
    show_picture(f"{page}_morph_picture", packed(both, slider))
    st.latex(
        r"-\tfrac12\lVert q - k\rVert^2 \;=\; q^\top k \;-\; \tfrac12\lVert q\rVert^2 \;-\; \tfrac12\lVert k\rVert^2"
    )
    st.markdown(
        "In a softmax over the keys **|q|² cancels**: it is the same for all of them. **|k|² cancels too once all keys "
        "are equally long**. Then the Gaussian kernel *is* the dot product: at 100 % the two differ by at most "
        f"{frames(both).difference[-1].item():.0e}, the rounding of 64-bit numbers."
    )
    st.info("Stop at 0 %. Which keys does the dot product overrate, and where do they lie?")
    code(page, lambda: snippet(percent, both))


@lru_cache(2)
def frames(both: bool) -> Morph:
    """Every per cent of the way; shared, so leave it unchanged."""
    shares = torch.linspace(0, 1, LAST + 1, dtype=torch.float64)
    return morph(scattered(QUERIES, SEEDS[0]), scattered(KEYS, SEEDS[1]), shares, move_queries=both)


def difference_text(difference: float) -> str:
    """A difference of rounding alone reads 0."""
    return "0" if difference < ROUNDING else short(difference)


@lru_cache(4)
def packed(both: bool, slider: str) -> bytes:
    """The plane and three heatmaps at every per cent, as bytes."""
    moved = frames(both)
    rows, columns = (tuple(f"{letter}{i + 1}" for i in range(count)) for letter, count in (("q", QUERIES), ("k", KEYS)))
    panels = (
        Heatmap("Gaussian: −|q − k|² / 2", moved.gaussian, rows, columns),
        Heatmap("Dot product: q · k", moved.dot, rows, columns),
        Heatmap("|Gaussian − dot product|", (moved.gaussian - moved.dot).abs(), rows, columns),
    )
    points = (
        Points("queries", "query", moved.queries, rows),
        Points("keys", "reference", moved.keys, columns),
    )
    lengths = moved.keys.square().sum(-1).sqrt()  # (F, K)
    spans = (f"{low:.2f} to {high:.2f}" for low, high in zip(lengths.amin(-1), lengths.amax(-1), strict=True))
    readouts = (
        Readout("Largest difference of the weights", tuple(map(difference_text, moved.difference.tolist()))),
        Readout("Lengths of the keys", tuple(spans)),
    )
    captions = tuple(f"{percent} % of the way" for percent in range(LAST + 1))
    plane = Plane("Queries, keys, unit circle", points)
    return pack(Picture((plane, *panels), captions, readouts, slider=slider, height=360))


def snippet(percent: int, both: bool) -> str:
    """A script that prints both weights at this place of the slider."""
    return f"""import torch

from attention_core.demos.morph import morph, scattered

queries, keys = scattered({QUERIES}, seed={SEEDS[0]}), scattered({KEYS}, seed={SEEDS[1]})
share = torch.tensor([{percent / LAST:g}], dtype=torch.float64)  # of the way to the unit circle
moved = morph(queries, keys, share, move_queries={both})
_, queries, keys, gaussian, dot, difference = (part[0] for part in moved)

print(gaussian)    # (queries, keys), softmax of -|q - k|^2 / 2
print(dot)         # softmax of q . k
print(difference)  # the largest between the two
"""
