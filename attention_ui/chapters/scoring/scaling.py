"""Why divide by sqrt(d)? Weights at every d with and without it, and the three curves that say why."""

from functools import lru_cache

import streamlit as st
import torch
from torch import Tensor

from attention_core.demos.scaling import KEYS, Scaling, scaling
from attention_core.scoring import dot, scaled_dot
from attention_ui.chapters.scoring.explorer import note
from attention_ui.chapters.scoring.vectors import COLUMNS, DIMENSIONS, ROWS, vectors
from attention_ui.controls.widgets import select_slider
from attention_ui.figures.charts import code
from attention_ui.numbers import short
from attention_ui.pictures import Axis, Graph, Heatmap, Picture, Readout, Trace, pack, show_picture

PLAIN, SCALED = "q · k", "q · k / √d"
FIELDS = {"variance": "Variance of scores", "reach": f"Keys listened to, of {KEYS}", "gradient": "Softmax gradient"}
FORMULA = r"""\begin{gathered}
\operatorname{Var}(q^\top k) = \sum_{i=1}^{d} \operatorname{Var}(q_i k_i) = d \\
\operatorname{Var}\big(q^\top k / \sqrt d\,\big) = 1
\end{gathered}"""


def show(page: str) -> None:
    """The slider, two heatmaps and three graphs that follow it, and what they say in words."""
    slider = f"{page}_width"
    d = select_slider("Drag the number of dimensions d", {d: str(d) for d in DIMENSIONS}, 64, key=slider)
    show_picture(f"{page}_scaling_picture", packed(slider))
    st.markdown(in_words(measured(), DIMENSIONS.index(d)))
    st.latex(FORMULA)
    st.info(
        "Find the d at which the plain dot product passes the most gradient. What has happened to the keys listened to?"
    )
    code(page, lambda: snippet(d))


@lru_cache(1)
def measured() -> Scaling:
    """Both scores at every position of the slider; shared, so leave it unchanged."""
    return scaling(DIMENSIONS)


def weights_at_every_width(seed: int = 0) -> tuple[Tensor, Tensor]:
    """softmax of q . k and of q . k / sqrt(d) for the same eight queries and ten keys, (F, Q, K) each."""
    pairs = [vectors(d, seed) for d in DIMENSIONS]
    plain, scaled = (torch.stack([score(*pair).softmax(-1) for pair in pairs]) for score in (dot, scaled_dot))
    return plain, scaled


@lru_cache(4)
def packed(slider: str) -> bytes:
    """Two heatmaps and three graphs at every d, as bytes."""
    plain, scaled = weights_at_every_width()
    found = measured()
    panels = (
        Heatmap(f"softmax({PLAIN})", plain, ROWS, COLUMNS, notes=tuple(map(note, plain))),
        Heatmap(f"softmax({SCALED})", scaled, ROWS, COLUMNS, notes=tuple(map(note, scaled))),
    )
    captions = tuple(f"d = {d}" for d in DIMENSIONS)
    made = Picture(
        panels, captions, readouts(found), graphs=graphs(found), slider=slider, low=0.0, high=1.0, height=236
    )
    return pack(made)


def readouts(found: Scaling) -> tuple[Readout, ...]:
    """The three averages at every d, plain and divided."""
    return tuple(
        Readout(name, tuple(f"{plain} (÷ √d: {scaled})" for plain, scaled in _pairs(found, field)))
        for field, name in FIELDS.items()
    )


def _pairs(found: Scaling, field: str) -> list[tuple[str, str]]:
    """A measure at every d as people write it: of q . k, and of q . k / sqrt(d)."""
    plain, scaled = (map(short, getattr(side, field).tolist()) for side in (found.plain, found.scaled))
    return list(zip(plain, scaled, strict=True))


def graphs(found: Scaling) -> tuple[Graph, ...]:
    """Variance, keys listened to and gradient over d, with and without the division; the ball is on the plain one."""
    return (
        _graph(found, "variance", Axis("variance", 0.5, 1000, log=True)),
        _graph(found, "reach", Axis("keys", 0, KEYS)),
        _graph(found, "gradient", Axis("gradient", 0, 0.35)),
    )


def _graph(found: Scaling, field: str, y: Axis) -> Graph:
    plain, scaled = (getattr(side, field) for side in (found.plain, found.scaled))
    title = FIELDS[field]
    first, *_, last = (" and ".join(pair) for pair in _pairs(found, field))
    return Graph(
        title,
        Axis("dimensions d", 1, DIMENSIONS[-1], log=True),
        y,
        (
            Trace("plain", "prediction", found.dimensions, plain),
            Trace("÷ √d", "reference", found.dimensions, scaled),
        ),
        (found.dimensions, plain),
        text=f"{title} over d, for {PLAIN} and {SCALED}: {first} at d = 1, {last} at d = {DIMENSIONS[-1]}.",
    )


def in_words(found: Scaling, at: int) -> str:
    """What happens at this d, and where the gradient turns, as it was measured."""
    plain, scaled = found.plain, found.scaled
    (v, sv), (r, sr), (g, sg) = (_pairs(found, field)[at] for field in FIELDS)
    peak = int(plain.gradient.argmax())
    below = int((plain.gradient < scaled.gradient).nonzero()[0])
    return (
        f"**At d = {DIMENSIONS[at]}** the plain scores have variance **{v}** (divided: {sv}), a query listens to "
        f"**{r}** of {KEYS} keys (divided: {sr}), and the gradient through softmax is **{g}** (divided: {sg}). "
        f"Without the division the gradient first *rises*, to {short(plain.gradient[peak].item())} at "
        f"d = {DIMENSIONS[peak]}, and only from d = {DIMENSIONS[below]} on falls below the divided one: "
        "a softmax that is about to choose moves easily, one that has chosen hardly moves. "
        f"Averages over 512 random queries with {KEYS} keys each."
    )


def snippet(d: int) -> str:
    """A script that prints the numbers at this d."""
    return f"""from attention_core.demos.scaling import scaling

_, plain, scaled = scaling([{d}])

for name, measure in (("q . k", plain), ("q . k / sqrt(d)", scaled)):
    print(name, "variance", measure.variance, "keys", measure.reach, "gradient", measure.gradient)
"""
