"""The morph: move the keys onto the unit circle, and the Gaussian kernel becomes the dot product."""

from collections.abc import Mapping
from functools import lru_cache

import streamlit as st
import torch
from torch import Tensor

from attention_core.demos.morph import morph, morph_both, scattered
from attention_ui.chapters.scoring.export import long, wide
from attention_ui.controls import widgets
from attention_ui.controls.sticky import sticky
from attention_ui.export.code import code
from attention_ui.export.computation import Computation
from attention_ui.export.still import still
from attention_ui.export.view import Export, View
from attention_ui.export.writing import Call, Field
from attention_ui.link.lesson import ask_with
from attention_ui.numbers import short
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.picture import Picture, Readout, pack, show_picture
from attention_ui.pictures.plane import Plane, Points
from attention_ui.shared import shared
from attention_ui.shown import show_formula

NAME = "gaussian-to-dot-product"  # of the files
QUERIES, KEYS = 5, 7
ROWS, COLUMNS = tuple(f"q{i + 1}" for i in range(QUERIES)), tuple(f"k{i + 1}" for i in range(KEYS))
TITLES = ("Gaussian: −|q − k|² / 2", "Dot product: q · k", "|Gaussian − dot product|")
LAST = 100  # the slider counts per cent
DRAWN = {"queries": Call(scattered, QUERIES, seed=393), "keys": Call(scattered, KEYS, seed=106)}
ROUNDING = 1e-12  # a smaller difference between weights is none


def show(page: str) -> View:
    """The slider, the plane and three heatmaps that follow it, and the identity behind them."""
    slider = f"{page}_share"
    both = widgets.toggle("Move the queries too", key=f"{page}_both")
    with sticky(page):
        percent = widgets.slider("Drag the keys onto the unit circle", 0, LAST, 0, format="%d %%", key=slider)
    show_picture(f"{page}_morph_picture", packed(both, slider))
    show_formula(
        r"-\tfrac12\lVert q - k\rVert^2 \;=\; q^\top k \;-\; \tfrac12\lVert q\rVert^2 \;-\; \tfrac12\lVert k\rVert^2"
    )
    st.markdown(
        "In a softmax over the keys $\\lVert q\\rVert^2$ cancels, since it is the same for all of them. **When all "
        "keys are equally long, $\\lVert k\\rVert^2$ cancels too**, and the Gaussian kernel and the dot product give "
        f"the same weights: at 100 % they differ by at most {computation(LAST, both).shown['difference'].item():.0e}, "
        "the rounding of 64-bit numbers."
    )
    words = "Stay at 0 %. To which keys does the dot product give more weight than the Gaussian, and where are they?"
    ask_with(words, "share")
    code(page, lambda: computation(percent, both).script(NAME, title(percent, both)).text)
    return View(lambda: exported(percent, both))


@lru_cache(2 * (LAST + 1))
def computation(percent: int, both: bool) -> Computation:
    """What the page runs after so many per cent of the way."""
    call = Call(morph_both if both else morph, **DRAWN, share=percent / LAST)
    matrices = (Field("gaussian"), Field("dot"), Field("apart"))
    return Computation(call, "heatmaps", {"matrices": dict(zip(TITLES, matrices, strict=True))})


@shared
def frames(both: bool) -> Mapping[str, Tensor]:
    """Every per cent of the way at once; shared, so leave it unchanged."""
    shares = torch.linspace(0, 1, LAST + 1, dtype=torch.float64)[:, None, None]
    return (morph_both if both else morph)(DRAWN["queries"].run(), DRAWN["keys"].run(), shares)


def difference_text(difference: float) -> str:
    """The difference in words: 0 where only rounding is left."""
    return "0" if difference < ROUNDING else short(difference)


@shared
def packed(both: bool, slider: str) -> bytes:
    """The plane and three heatmaps at every per cent, as bytes."""
    moved = frames(both)
    lengths = moved["keys"].square().sum(-1).sqrt()  # (F, K)
    spans = (f"{low:.2f} to {high:.2f}" for low, high in zip(lengths.amin(-1), lengths.amax(-1), strict=True))
    readouts = (
        Readout("Largest difference of the weights", tuple(map(difference_text, moved["difference"].tolist()))),
        Readout("Lengths of the keys", tuple(spans)),
    )
    captions = tuple(f"{percent} % of the way" for percent in range(LAST + 1))
    return pack(Picture(panels(moved, LAST + 1), captions, readouts, slider=slider, height=300, fills=True))


def panels(moved: Mapping[str, Tensor], count: int) -> tuple[Plane | Heatmap, ...]:
    """The plane and three heatmaps, of so many frames."""
    queries, keys = (moved[name].expand(count, -1, -1) for name in ("queries", "keys"))  # the queries may stay
    points = Points("queries", "query", queries, ROWS), Points("keys", "reference", keys, COLUMNS)
    plane = Plane("Queries, keys, unit circle", points, ("first coordinate", "second coordinate"))
    shown = zip(TITLES, ("gaussian", "dot", "apart"), strict=True)
    return plane, *(Heatmap(title, moved[name], ROWS, COLUMNS) for title, name in shown)


def title(percent: int, both: bool) -> str:
    """What the picture shows, in a few words."""
    moving = "queries and keys" if both else "keys"
    gap = difference_text(computation(percent, both).shown["difference"].item())
    return f"{moving.capitalize()} {percent} % of the way to the unit circle: weights differ by at most {gap}"


def exported(percent: int, both: bool) -> Export:
    """The plane and both weights after so many per cent of the way."""
    made = computation(percent, both)
    now = made.shown
    return Export(
        name=NAME,
        title=title(percent, both),
        figure=still(Picture(panels(now, 1), across=2), numbers=True),
        tables={
            "weights": long({"gaussian": now["gaussian"], "dot": now["dot"]}, query=ROWS, key=COLUMNS),
            "places": wide(torch.cat([now["queries"], now["keys"]]), [*ROWS, *COLUMNS], ("x", "y"), "vector"),
        },
        computation=made,
    )
