"""What the kernel-regression page says below its picture: numbers, the lens, the choice of a width, more data."""

import json
import math
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import NamedTuple

import streamlit as st
from torch import Tensor

from attention_core.kernels import KERNELS
from attention_core.pieces import watched
from attention_core.regression.estimator import Estimator
from attention_core.regression.more_data import RULES as ERROR_RULES
from attention_core.regression.more_data import SIZES, Point, consistency
from attention_core.regression.one_query import explain
from attention_core.regression.redraw import Recipe
from attention_ui.chapters.kernel_regression import cache
from attention_ui.chapters.kernel_regression.formula import formula
from attention_ui.chapters.kernel_regression.pictures import drawn_text, error_over_n
from attention_ui.component import told
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.width import RULES
from attention_ui.export.export import Export
from attention_ui.export.lab import exported, script
from attention_ui.link.held import bring_text, held_text, hold_text
from attention_ui.link.lesson import locked_names
from attention_ui.pictures.picture import pack, show_frames

NEEDS_NEW_DATA = "This tab draws new data sets, so it needs a made-up function: choose one under Data."
NUMBERS, ONE_QUERY = "numbers", "one_query"
MANY = 200  # points from which on a picture may take a while
TABS = {
    NUMBERS: "Numbers",
    ONE_QUERY: "One query",
    "which_width": "Which width?",
    "bias_variance": "Bias and variance",
    "more_data": "More data",
    "code": "The code",
}


class Lab(NamedTuple):
    """What is on the stage right now."""

    page: str  # the prefix of its keys
    dataset: Dataset
    estimator: Estimator
    output: Tensor  # (Q,)
    query: float  # the pinned one, else the middle one


def captions(lab: Lab) -> None:
    """Say where the width has no effect, and how many queries reach no key."""
    lost = int(lab.output.isnan().sum())
    if lab.estimator.kernel == "constant":
        st.caption("The constant kernel gives every key the same weight: this is average pooling, whatever σ is.")
    elif lost:
        st.caption(f"{lost} of {len(lab.output)} queries reach no key, so the curve has gaps there: choose a wider σ.")


def looked_at(pinned: int | None, queries: Tensor) -> int:
    """The row of the query that is taken apart: the pinned one, else the middle one."""
    return len(queries) // 2 if pinned is None else pinned


class Asked(NamedTuple):
    """What the pictures of a tab hold: one frame for every width."""

    page: str  # the prefix of its keys
    dataset: Dataset
    kernel: str
    linear: bool
    widths: tuple[float, ...]
    query: float  # the pinned one, else the middle one

    @property
    def model(self) -> tuple[Dataset, str, bool, tuple[float, ...], str]:
        """What every picture depends on."""
        return self.dataset, self.kernel, self.linear, self.widths, self.page


def numbers(asked: Asked) -> None:
    """Errors of all estimators in one small table, and how sharp attention is as a number."""
    show_frames(f"{asked.page}_numbers", cache.packed_numbers(*asked.model))


def one_query(asked: Asked) -> None:
    """The weights of the pinned query, and what every point adds to its prediction."""
    show_frames(f"{asked.page}_lens", cache.packed_query(*asked.model, asked.query))
    st.caption(f"Choose another query in the heatmap or the curve. {drawn_text(len(asked.dataset.samples().x))}")


def which_width(asked: Asked) -> None:
    """Leave-one-out error over sigma, with the usual choices marked; a locked rule has no mark, which would tell it."""
    rules = tuple(rule for rule in RULES if f"rule_{rule}" not in locked_names())
    with working(asked):
        packed = cache.packed_errors(*asked.model, rules)
    show_frames(f"{asked.page}_errors", packed, on_chosen=lambda: take_width(asked))
    st.caption(
        "Each point is predicted from all the others. A width that is too narrow repeats the noise; one that is too "
        "wide misses the curve."
    )


def take_width(asked: Asked) -> None:
    """Set the width that was chosen on the curve."""
    frame = told(f"{asked.page}_errors", "chosen")
    if isinstance(frame, int) and 0 <= frame < len(asked.widths):
        st.session_state[f"{asked.page}_width"] = asked.widths[frame]


def working(asked: Asked) -> AbstractContextManager[None]:
    """A spinner where there are so many points that a picture takes a while."""
    return st.spinner("Working it out ...") if len(asked.dataset.samples().x) > MANY else nullcontext()


def bias_and_variance(asked: Asked) -> None:
    """Squared bias and variance at every width, from data that are redrawn a hundred times."""
    if not asked.dataset.has_truth:
        st.info(NEEDS_NEW_DATA)
        return
    with working(asked):
        packed = cache.packed_redraws(*asked.model)
    show_frames(f"{asked.page}_bias", packed)
    st.caption(
        "100 new data sets are drawn and predicted at every σ. Squared bias: how far their mean is from the truth. "
        "Variance: how much the predictions differ from each other."
    )


def written_out(lab: Lab) -> None:
    """The average of the pinned query written out, and what it would be without its strongest point."""
    seen = explain(lab.query, lab.dataset.samples(), lab.estimator)
    st.latex(formula(seen))
    if seen.reached:
        x_strong, y_strong = (float(column[seen.strongest]) for column in seen.samples)
        without = seen.without(seen.strongest)
        would = f"the prediction would be **{without:.4g}** instead of {seen.prediction:.4g}."
        none = "there would be **no prediction** here: no other key is in reach."
        st.markdown(
            f"The strongest point, key {x_strong:.4g} with value {y_strong:.4g}, holds "
            f"{seen.weights[seen.strongest]:.1%} of the weight. Without it {would if math.isfinite(without) else none}"
        )


def more_data(lab: Lab) -> None:
    """Error against n for three rules: one fixed width, and two that narrow as data grow."""
    if not lab.dataset.has_truth:
        st.info(NEEDS_NEW_DATA)
        return
    key, asked = f"{lab.page}_more", (_recipe(lab.dataset), lab.estimator)
    kept = st.session_state.get(f"{key}_ran") or (asked, _read_points(held_text(key), asked))
    if st.button(f"Run the experiment: {SIZES[0]} to {SIZES[-1]:,} points", key=f"{key}_run"):
        kept = st.session_state[f"{key}_ran"] = (asked, _grown(*asked))
    if kept[0] == asked and kept[1]:
        hold_text(key, _written_points(*kept))
        show_frames(f"{key}_picture", pack(error_over_n(kept[1])))
    else:
        bring_text(key)
    st.caption(
        "With more points the variance falls towards 0. Where the width narrows as well, the bias falls too; with a "
        "fixed width it stays."
    )


def _grown(recipe: Recipe, estimator: Estimator) -> list[Point]:
    """Run the experiment with a progress bar; a visitor who leaves stops it at once."""
    bar = st.progress(0.0, "Drawing more and more points ...")
    with watched(lambda share: bar.progress(share, "Drawing more and more points ...")):
        points = list(consistency(recipe, estimator))
    bar.empty()
    return points


def _written_points(asked: tuple[Recipe, Estimator], points: list[Point]) -> str:
    """What was asked and what came of it, as text that the browser holds."""
    return json.dumps([repr(asked), points], separators=(",", ":"))


def _read_points(text: str, asked: tuple[Recipe, Estimator]) -> list[Point]:
    """What came of this question, if the text holds it; nothing else."""
    with suppress(ValueError, TypeError):
        question, points = json.loads(text)
        return [_checked(*point) for point in points] if question == repr(asked) else []
    return []


def _checked(rule: str, n: int, width: float, error: float) -> Point:
    if rule not in ERROR_RULES or n not in SIZES or not (0 < width < math.inf and 0 <= error < math.inf):
        raise ValueError("There is no such point.")
    return Point(rule, n, width, error)


def _recipe(dataset: Dataset) -> Recipe:
    return Recipe(dataset.name, dataset.n, dataset.noise, dataset.seed)


def code(lab: Lab) -> None:
    """The code that made the picture; a tab here, since even a closed expander is drawn anew with every width."""
    st.code(script(lab.dataset, lab.estimator), language="python")


def taken_home(dataset: Dataset, kernel: str, linear: bool, page: str = "kr") -> Export:
    """What is on the stage when Download is pressed; the width is the fragment's own."""
    return exported(dataset, Estimator(st.session_state[f"{page}_width"], kernel, linear))


QUESTION = "Sharpen until the curve follows every point. Which error still falls, and why?"

# The pictures of the tabs, which hold every width, and what follows once the width is set.
PICTURES = {
    NUMBERS: numbers,
    ONE_QUERY: one_query,
    "which_width": which_width,
    "bias_variance": bias_and_variance,
}
VIEWS = {ONE_QUERY: written_out, "more_data": more_data, "code": code}


def equation(kernel: str, linear: bool) -> str:
    """The estimator's formula in LaTeX, in lines that a phone is wide enough for."""
    score = rf"K(u) = {KERNELS[kernel].formula}, \quad u_i = \frac{{q - k_i}}{{\sigma}}"
    if linear:
        lines = [r"f(q) = a \text{ of } \min_{a, b}", r"\sum_i K(u_i)\,\big(v_i - a - b\,(k_i - q)\big)^2", score]
    else:
        average = r"f(q) = \sum_i \frac{K(u_i)}{\sum_j K(u_j)}\, v_i"
        lines = [average, r"\phantom{f(q)} = \operatorname{softmax}(\log K(u))\, v", score]
    return r"\begin{gathered} " + r" \\ ".join(lines) + r" \end{gathered}"
