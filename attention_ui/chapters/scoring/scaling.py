"""Why divide by sqrt(d)? Weights at every d with and without it, and the three curves that say why."""

from collections.abc import Mapping

import streamlit as st
from torch import Tensor

from attention_core.demos.scaling import OFFERED, scaling
from attention_ui.chapters.scoring.choices import COLUMNS, DIMENSIONS, ROWS
from attention_ui.chapters.scoring.explorer import note
from attention_ui.chapters.scoring.export import long
from attention_ui.controls.sticky import sticky
from attention_ui.controls.widgets import select_slider
from attention_ui.export.code import code
from attention_ui.export.computation import Computation
from attention_ui.export.still import still
from attention_ui.export.view import Export, View
from attention_ui.export.writing import Call, Field
from attention_ui.link.lesson import ask_with
from attention_ui.numbers import short
from attention_ui.pictures.graph import Axis, Graph, Trace
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.picture import Picture, Readout, pack, show_picture
from attention_ui.shared import shared
from attention_ui.shown import show_formula

NAME = "why-root-d"  # of the files
NAMES = PLAIN, SCALED = "q · k", "q · k / √d"
FIELDS = {
    "variance": "Variance of scores",
    "effective_keys": f"Effective number of keys, of {OFFERED}",
    "gradient": "Norm of softmax's gradient",
}
CALL = Call(scaling, dimensions=DIMENSIONS, seed=0)
Measured = Mapping[str, Tensor]  # of q . k and of q . k / sqrt(d), at every d
FORMULA = r"""\begin{gathered}
\operatorname{Var}(q^\top k) = \sum_{i=1}^{d} \operatorname{Var}(q_i k_i) = d \\
\operatorname{Var}\big(q^\top k / \sqrt d\,\big) = 1
\end{gathered}"""


def show(page: str) -> View:
    """The slider, two heatmaps and three graphs that follow it, and what they say in words."""
    slider = f"{page}_width"
    with sticky(page):
        d = select_slider("Drag the number of dimensions $d$", {d: str(d) for d in DIMENSIONS}, 64, key=slider)
    show_picture(f"{page}_scaling_picture", packed(slider))
    st.markdown(in_words(measured()))
    show_formula(FORMULA)
    ask_with(
        "Find the $d$ at which the gradient of the plain dot product is largest. What is the effective number of keys "
        "there?",
        "width",
    )
    code(page, lambda: computation(d).script(NAME, title(d)).text)
    return View(lambda: exported(d))


@shared
def measured() -> Measured:
    """Both scores at every position of the slider; shared, so leave it unchanged."""
    found: Measured = CALL.run()
    return found


def computation(d: int) -> Computation:
    """What the page runs; drawn at this d."""
    at = DIMENSIONS.index(d)
    matrices = {f"softmax({name}), d = {d}": Field("weights", side, at) for side, name in enumerate(NAMES)}
    return Computation(CALL, "heatmaps", {"matrices": matrices})


@shared
def packed(slider: str) -> bytes:
    """The picture as bytes."""
    return pack(picture(slider))


def picture(slider: str | None = None) -> Picture:
    """Two heatmaps and three graphs at every d."""
    found = measured()
    panels = tuple(
        Heatmap(f"softmax({name})", weights, ROWS, COLUMNS, notes=tuple(map(note, weights)))
        for name, weights in zip(NAMES, found["weights"], strict=True)
    )
    captions = tuple(f"d = {d}" for d in DIMENSIONS)
    return Picture(
        panels,
        captions,
        readouts(found),
        graphs=graphs(found),
        slider=slider,
        low=0.0,
        high=1.0,
        height=190,
        fills=True,
    )


def readouts(found: Measured) -> tuple[Readout, ...]:
    """The three averages at every d, plain and divided."""
    return tuple(
        Readout(name, tuple(f"{plain} (÷ √d: {scaled})" for plain, scaled in _pairs(found, field)))
        for field, name in FIELDS.items()
    )


def _pairs(found: Measured, field: str) -> list[tuple[str, str]]:
    """A measure at every d as people write it: of q . k, and of q . k / sqrt(d)."""
    plain, scaled = (map(short, side.tolist()) for side in found[field])
    return list(zip(plain, scaled, strict=True))


def graphs(found: Measured) -> tuple[Graph, ...]:
    """Variance, effective keys and gradient over d, with and without the division; the ball is on the plain one."""
    return (
        _graph(found, "variance", Axis("variance", 0.5, 1000, log=True)),
        _graph(found, "effective_keys", Axis("keys", 0, OFFERED)),
        _graph(found, "gradient", Axis("gradient", 0, 0.35)),
    )


def _graph(found: Measured, field: str, y: Axis) -> Graph:
    plain, scaled = found[field]
    title = FIELDS[field]
    first, *_, last = (" and ".join(pair) for pair in _pairs(found, field))
    return Graph(
        title,
        Axis("dimensions d", 1, DIMENSIONS[-1], log=True),
        y,
        (
            Trace("plain", "prediction", found["dimensions"], plain),
            Trace("÷ √d", "reference", found["dimensions"], scaled),
        ),
        (found["dimensions"], plain),
        text=f"{title} over d, for {PLAIN} and {SCALED}: {first} at d = 1, {last} at d = {DIMENSIONS[-1]}.",
    )


def in_words(found: Measured) -> str:
    """How the variance grows, what the gradient is, and where it turns, as it was measured."""
    plain, scaled = found["gradient"]
    peak, below = int(plain.argmax()), int((plain < scaled).nonzero()[0])
    first, last = (short(number) for number in found["variance"][0, [0, -1]].tolist())
    return (
        f"**Without the division the variance of the scores grows with $d$**, here from {first} at $d = 1$ to {last} "
        f"at $d = {DIMENSIONS[-1]}$; divided by $\\sqrt d$ it stays near 1. Softmax's gradient is the matrix "
        "$\\operatorname{diag}(p) - p p^\\top$: it says how the weights $p$ change with the scores. Without the "
        f"division its norm first rises, to {short(plain[peak].item())} at $d = {DIMENSIONS[peak]}$, and from "
        f"$d = {DIMENSIONS[below]}$ on it is below that of the divided scores: when nearly all weight is on one key, "
        f"the weights hardly change with the scores. The numbers are averages over 512 random queries with {OFFERED} "
        "keys each; the heatmaps show 8 queries with 10 keys."
    )


def title(d: int) -> str:
    """What the picture shows, in a few words."""
    return f"Why divide by √d: weights at d = {d}, and what happens at every d"


def exported(d: int) -> Export:
    """Both heatmaps at this d, and three measures over all d."""
    found, at = measured(), DIMENSIONS.index(d)
    weights = found["weights"][:, at]  # (2, Q, K)
    return Export(
        name=NAME,
        title=title(d),
        figure=still(picture(), frame=at, numbers=True),
        tables={
            "measures": long({field: found[field] for field in FIELDS}, score=NAMES, d=DIMENSIONS),
            "weights": long({"weight": weights}, score=NAMES, query=ROWS, key=COLUMNS),
        },
        computation=computation(d),
    )
