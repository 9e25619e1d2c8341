"""The analogy of kernel and attention: where it holds exactly, and four views of where it may not."""

from collections.abc import Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from attention_core.demos.analogy import smoother_as_attention
from attention_ui.chapters.scoring import kernel_and_attention
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.sticky import sticky
from attention_ui.controls.widgets import segmented, select_slider
from attention_ui.export.code import code
from attention_ui.export.computation import Computation
from attention_ui.export.points import points_call
from attention_ui.export.still import still
from attention_ui.export.view import Export, View
from attention_ui.export.writing import Call, Field
from attention_ui.numbers import short
from attention_ui.pictures.graph import Axis, Graph, Moving, Trace
from attention_ui.pictures.picture import Picture, Readout, pack, show_picture
from attention_ui.shared import shared
from attention_ui.shown import ask, show_formula

NAME = "kernel-regression-is-attention"  # of the files
DATASET = Dataset()
WIDTHS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0)
QUESTIONS = {
    "exact": "Where it holds",
    "symmetry": "Symmetry",
    "likeness": "Likeness",
    "order": "Order",
    "positive": "Positive",
}
FORMULA = r"""\begin{gathered}
q' = \Big(\frac{q}{\sigma^2},\; 1\Big),\quad k' = \Big(k,\; -\frac{k^2}{2\sigma^2}\Big) \\
q'^\top k' = -\frac{(q - k)^2}{2\sigma^2} + \frac{q^2}{2\sigma^2}
\end{gathered}"""


def show(page: str) -> View:
    """A switch over the five questions; only the open one computes and draws."""
    views = {
        "exact": exact,
        "symmetry": kernel_and_attention.asymmetric,
        "likeness": kernel_and_attention.unlike,
        "order": kernel_and_attention.order,
        "positive": kernel_and_attention.definite,
    }
    return views[segmented("Question", QUESTIONS, "exact", key=f"{page}_question", label_visibility="collapsed")](page)


def exact(page: str) -> View:
    """Kernel regression through torch's own attention: the same curve at every width."""
    widths, slider = {each: short(each) for each in WIDTHS}, f"{page}_sigma"
    with sticky(page):
        width = select_slider(r"Drag the width $\sigma$ of the Gaussian", widths, 0.5, key=slider)
    show_picture(f"{page}_same_curve", packed(slider))
    st.markdown(
        "**With one more coordinate, kernel regression is dot-product attention.** Every key gets the coordinate "
        r"$-k^2 / 2\sigma^2$. Then torch's `scaled_dot_product_attention` gives the curve of the lab at every width."
    )
    show_formula(FORMULA)
    ask("Which term is the same for all keys, so that softmax does not depend on it?")
    code(page, lambda: computation(width).script(NAME, title(width)).text)
    return View(lambda: exported(width))


@shared
def packed(slider: str) -> bytes:
    """The picture as bytes."""
    return pack(picture(slider))


@shared
def curves() -> tuple[Tensor, Tensor]:
    """Both curves (F, Q) at every width: by the kernel, and by torch's attention."""
    shown = [computation(width).shown for width in WIDTHS]
    kernel, attention = (torch.stack([each[name] for each in shown]) for name in ("kernel", "attention"))
    return kernel, attention


def picture(slider: str | None = None) -> Picture:
    """The points and both curves, and how far these differ, at every width."""
    gaps = tuple(f"{gap:.0e}" for gap in (curves()[0] - curves()[1]).abs().amax(-1).tolist())
    captions = tuple(f"σ = {short(width)}" for width in WIDTHS)
    readouts = (Readout("Largest difference of the two curves", gaps),)
    return Picture((), captions, readouts, (graph(gaps),), slider=slider, fills=True)


def graph(gaps: Sequence[str]) -> Graph:
    """The points, the lab's curve as a wide line, and torch's attention as a dashed one on top of it."""
    (kernel, attention), (x, y) = curves(), DATASET.samples()
    queries = computation(WIDTHS[0]).shown["queries"]
    room = 0.05 * (y.max() - y.min()).item()
    told = zip(WIDTHS, gaps, strict=True)
    return Graph(
        "Output",
        Axis("query", DATASET.low, DATASET.high),
        Axis("output", y.min().item() - room, y.max().item() + room),
        (Trace("samples", "points", x, y),),
        moving=(
            Moving("kernel regression", "prediction", queries, kernel),
            Moving("scaled_dot_product_attention", "ink", queries, attention),
        ),
        texts=tuple(
            f"Kernel regression and torch's attention over {len(queries)} queries at width {short(width)}: they differ "
            f"by at most {gap}."
            for width, gap in told
        ),
    )


@lru_cache(len(WIDTHS))
def computation(width: float) -> Computation:
    """What the page runs at this width."""
    queries = Call(torch.linspace, 0, 5, 201, dtype=torch.float64)
    call = Call(smoother_as_attention, points=points_call(DATASET), queries=queries, width=width)
    lines = {"kernel regression": Field("kernel"), "scaled_dot_product_attention": Field("attention")}
    return Computation(call, "graphs", {"x": Field("queries"), "lines": lines, "across": "query"})


def title(width: float) -> str:
    """What the picture shows, in a few words."""
    return f"Kernel regression of width {short(width)} by torch's own attention"


def exported(width: float) -> Export:
    """Both curves at this width."""
    made, samples = computation(width), DATASET.samples()
    queries, kernel, attention = (made.shown[name] for name in ("queries", "kernel", "attention"))
    table = {"query": queries.tolist(), "kernel regression": kernel.tolist(), "attention": attention.tolist()}
    return Export(
        name=NAME,
        title=title(width),
        figure=still(picture(), frame=WIDTHS.index(width)),
        tables={
            "curves": pd.DataFrame(table),
            "samples": pd.DataFrame({"x": samples.x.tolist(), "y": samples.y.tolist()}),
        },
        computation=made,
    )
