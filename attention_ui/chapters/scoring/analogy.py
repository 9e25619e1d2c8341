"""Where the analogy breaks: first where it holds exactly, then four things that may tell attention from a kernel."""

import streamlit as st
import torch
from torch import Tensor

from attention_core.data import generate
from attention_core.demos.analogy import as_dot_product
from attention_core.pooling import kernel_pool
from attention_ui.chapters.scoring import contrasts
from attention_ui.chapters.scoring.figures_analogy import same_curve
from attention_ui.controls.widgets import segmented, select_slider
from attention_ui.figures.charts import chart, code
from attention_ui.numbers import short

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


def show(page: str) -> None:
    """A switch over the five questions; only the open one computes and draws."""
    views = {
        "exact": exact,
        "symmetry": contrasts.asymmetric,
        "likeness": contrasts.unlike,
        "order": contrasts.order,
        "positive": contrasts.definite,
    }
    views[segmented("Question", QUESTIONS, "exact", key=f"{page}_question", label_visibility="collapsed")](page)


def exact(page: str) -> None:
    """Kernel regression through torch's own attention: the same curve."""
    widths = {each: short(each) for each in WIDTHS}
    sigma = select_slider("Width σ of the Gaussian", widths, 0.5, key=f"{page}_sigma")
    width = short(sigma)
    queries, kernel, attention = both_curves(sigma)
    gap = (kernel - attention).abs().max().item()
    chart(
        same_curve(queries, generate(), kernel, attention),
        f"{page}_same_curve",
        f"Kernel regression and torch's attention over 201 queries at width {width}: they differ by at most {gap:.1e}.",
    )
    st.markdown(
        f"**One coordinate more and it is dot-product attention.** Every key carries its own −k²/2σ². torch's "
        f"`scaled_dot_product_attention` then draws the lab's curve; the largest difference is **{gap:.1e}**."
    )
    st.latex(FORMULA)
    st.info("Which term does the softmax over the keys not see, and why may it be left out?")
    code(page, lambda: snippet(width))


def both_curves(width: float) -> tuple[Tensor, Tensor, Tensor]:
    """Queries (201,), and the output there of kernel regression and of torch's attention."""
    queries = torch.linspace(0, 5, 201, dtype=torch.float64)
    samples = generate()
    return queries, kernel_pool(queries, *samples, width).output, as_dot_product(queries, *samples, width).pooled.output


def snippet(width: str) -> str:
    """A script that prints the difference of the two curves."""
    return f"""import torch

from attention_core.demos.analogy import as_dot_product
from attention_core.data import generate
from attention_core.pooling import kernel_pool

samples = generate()
queries = torch.linspace(0, 5, 201, dtype=torch.float64)
kernel = kernel_pool(queries, samples.x, samples.y, width={width}).output
attention = as_dot_product(queries, samples.x, samples.y, width={width}).pooled.output

print((kernel - attention).abs().max())
"""
