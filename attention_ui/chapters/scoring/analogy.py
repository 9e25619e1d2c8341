"""Where the analogy breaks: first where it holds exactly, then four things that may tell attention from a kernel."""

from functools import lru_cache

import pandas as pd
import streamlit as st
import torch

from attention_core.demos.analogy import smoother_as_attention
from attention_ui.chapters.scoring import kernel_and_attention
from attention_ui.chapters.scoring.figures_analogy import same_curve
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widgets import segmented, select_slider
from attention_ui.export.export import Export
from attention_ui.export.points import points_call
from attention_ui.export.ran import Ran
from attention_ui.export.view import View
from attention_ui.export.writing import Call, Field
from attention_ui.figures.charts import chart, code
from attention_ui.numbers import short

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
    """Kernel regression through torch's own attention: the same curve."""
    widths = {each: short(each) for each in WIDTHS}
    width = select_slider("Width σ of the Gaussian", widths, 0.5, key=f"{page}_sigma")
    shown = ran(width).shown
    gap = (shown["kernel"] - shown["attention"]).abs().max().item()
    chart(
        same_curve(shown["queries"], DATASET.samples(), shown["kernel"], shown["attention"]),
        f"{page}_same_curve",
        f"Kernel regression and torch's attention over 201 queries at width {widths[width]}: "
        f"they differ by at most {gap:.1e}.",
    )
    st.markdown(
        f"**One coordinate more and it is dot-product attention.** Every key carries its own −k²/2σ². torch's "
        f"`scaled_dot_product_attention` then draws the lab's curve; the largest difference is **{gap:.1e}**."
    )
    st.latex(FORMULA)
    st.info("Which term does the softmax over the keys not see, and why may it be left out?")
    code(page, lambda: ran(width).script(NAME, title(width)).text)
    return View(lambda: exported(width))


@lru_cache(len(WIDTHS))
def ran(width: float) -> Ran:
    """What the page runs at this width."""
    queries = Call(torch.linspace, 0, 5, 201, dtype=torch.float64)
    call = Call(smoother_as_attention, points=points_call(DATASET), queries=queries, width=width)
    lines = {"kernel regression": Field("kernel"), "scaled_dot_product_attention": Field("attention")}
    return Ran(call, "graphs", {"x": Field("queries"), "lines": lines, "across": "query"})


def title(width: float) -> str:
    """What the picture shows, in a few words."""
    return f"Kernel regression of width {short(width)} by torch's own attention"


def exported(width: float) -> Export:
    """Both curves at this width."""
    made, samples = ran(width), DATASET.samples()
    queries, kernel, attention = (made.shown[name] for name in ("queries", "kernel", "attention"))
    curves = {"query": queries.tolist(), "kernel regression": kernel.tolist(), "attention": attention.tolist()}
    return Export(
        name=NAME,
        title=title(width),
        figure=same_curve(queries, samples, kernel, attention),
        tables={
            "curves": pd.DataFrame(curves),
            "samples": pd.DataFrame({"x": samples.x.tolist(), "y": samples.y.tolist()}),
        },
        ran=made,
    )
