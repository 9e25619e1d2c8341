"""What the kernel-regression page says below its picture: numbers, the lens, the choice of a width, more data."""

import math
from typing import NamedTuple

import streamlit as st
import torch
from torch import Tensor

from attention_core.data import truth
from attention_core.kernels import KERNELS
from attention_core.regression.estimator import Estimator
from attention_core.regression.loo_curve import Mark
from attention_core.regression.more_data import SIZES, Point, consistency
from attention_core.regression.one_query import explain
from attention_core.regression.quality import loo_error
from attention_core.regression.redraw import Recipe
from attention_ui.chapters.kernel_regression import cache
from attention_ui.chapters.kernel_regression.figures_one_query import contributions, kernel_bump, weight_bars
from attention_ui.chapters.kernel_regression.figures_width import RULES, bias_variance_band, error_over_n, loo_figure
from attention_ui.chapters.kernel_regression.formula import formula
from attention_ui.controls.dataset import Dataset
from attention_ui.export.export import Export
from attention_ui.export.lab import exported, script
from attention_ui.figures.charts import chart
from attention_ui.figures.style import Axis
from attention_ui.link.lesson import locked_names
from attention_ui.numbers import short
from attention_ui.pictures.picture import show_frames
from attention_ui.pictures.regression import FINE

NEEDS_NEW_DATA = "This draws new data again and again: choose one of the made-up functions, as it is."
NUMBERS = "numbers"  # the one tab that holds every width at once, so that none of them draws it anew
TABS = {
    NUMBERS: "Numbers",
    "one_query": "One query",
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
    queries: Tensor  # (Q,)
    output: Tensor  # (Q,)
    attention: Tensor  # (Q, K): the kernel's own weights
    pinned: int | None  # a row


def captions(lab: Lab) -> None:
    """Say where the width has no effect, and how many queries reach no key."""
    lost = int(lab.output.isnan().sum())
    if lab.estimator.kernel == "constant":
        st.caption("The constant kernel counts every key the same: this is average pooling, whatever σ is.")
    elif lost:
        st.caption(f"{lost} of {len(lab.queries)} queries reach no key, so the curve has gaps there: widen σ.")


def numbers(page: str, dataset: Dataset, kernel: str, linear: bool, widths: tuple[float, ...]) -> None:
    """Errors of all estimators in one small table, and how sharp attention is as a number; both follow the drag."""
    show_frames(f"{page}_numbers", cache.packed_numbers(dataset, kernel, linear, widths, page))


def _number(value: float | None) -> str:
    return "none" if value is None else short(value, 4)


def one_query(lab: Lab) -> None:
    """The pinned query: the kernel over the data, its weights, and the average written out."""
    row = len(lab.queries) // 2 if lab.pinned is None else lab.pinned
    seen = explain(float(lab.queries[row]), lab.dataset.samples(), lab.estimator)
    if lab.pinned is None:
        st.caption("Click the heatmap above to put another query under the lens.")
    x = Axis(lab.dataset.x_label, lab.dataset.low, lab.dataset.high)
    left, middle, right = st.columns(3)
    key, at = f"{lab.page}_lens", f"the query {seen.query:.4g}, where the prediction is {seen.prediction:.4g}"
    with left:
        reach = f"it reaches {seen.reached} of {len(seen.weights)} points"
        chart(kernel_bump(seen, x, Axis(lab.dataset.y_label)), f"{key}_bump", f"The kernel at {at}; {reach}.")
    with middle:
        strongest = seen.weights[seen.strongest]
        chart(weight_bars(seen, x), f"{key}_weights", f"Weights at {at}: the largest is {strongest:.4g}.")
    with right:
        added = seen.contributions[seen.strongest]
        chart(contributions(seen, x), f"{key}_parts", f"What every point adds at {at}: the strongest {added:.4g}.")
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


def which_width(lab: Lab) -> None:
    """Leave-one-out error over sigma, with the usual choices marked; a locked rule has no mark, which would tell it."""
    curve = cache.loo_curve_of(lab.dataset, lab.estimator.kernel, lab.estimator.linear)
    current = Mark(lab.estimator.width, loo_error(lab.dataset.samples(), lab.estimator))
    locked = locked_names()
    marks = {name: mark for name, mark in curve.marks.items() if f"rule_{name}" not in locked}
    best = f"the least is at width {marks['leave_one_out'].width:.4g}, " if "leave_one_out" in marks else ""
    chart(
        loo_figure(curve._replace(marks={**marks, "current": current})),
        f"{lab.page}_landscape",
        f"Leave-one-out error over the width; {best}the current error is {current.loss:.4g}.",
    )
    st.caption("Each point is predicted from all the others: too narrow repeats the noise, too wide misses the curve.")


def bias_and_variance(lab: Lab) -> None:
    """Squared bias and variance at this width, from data that are redrawn a hundred times."""
    if not lab.dataset.has_truth:
        st.info(NEEDS_NEW_DATA)
        return
    fine = torch.linspace(lab.dataset.low, lab.dataset.high, FINE, dtype=torch.float64)
    result = cache.redrawn(_recipe(lab.dataset), lab.estimator)
    picture, text = st.columns([3, 1])
    with picture:
        chart(
            bias_variance_band(fine, truth(lab.dataset.name, fine), result, Axis("x"), Axis("y")),
            f"{lab.page}_bias",
            f"100 redraws: squared bias {result.total_squared_bias:.4g}, variance {result.total_variance:.4g}.",
        )
    text.metric("Squared bias", _number(result.total_squared_bias), help="How wrong the average of 100 redraws is.")
    text.metric("Variance", _number(result.total_variance), help="How much the redraws differ from each other.")
    text.caption("100 new data sets at this σ. Sharpen it: bias falls, variance grows.")


def more_data(lab: Lab) -> None:
    """Error against n for three rules: one fixed width, and two that narrow as data grow."""
    if not lab.dataset.has_truth:
        st.info(NEEDS_NEW_DATA)
        return
    key, asked = f"{lab.page}_more", (_recipe(lab.dataset), lab.estimator)
    kept = st.session_state.get(key)
    if st.button("Run the experiment: 10 to 5,000 points", key=f"{key}_run"):
        kept = st.session_state[key] = (asked, _grown(*asked))
    if kept and kept[0] == asked:
        points: list[Point] = kept[1]
        told = "; ".join(f"{RULES[point.rule][0]} with {point.n} points: {point.error:.3g}" for point in points)
        chart(error_over_n(points), f"{key}_picture", f"Error against the truth. {told}.")
    st.caption("A width that narrows as data grow finds the truth in the end; a fixed one stays wrong.")


def _grown(recipe: Recipe, estimator: Estimator) -> list[Point]:
    """Run the experiment with a progress bar; a visitor who leaves stops it at the next step."""
    points, bar = [], st.progress(0.0, "Drawing more and more points ...")
    for point in consistency(recipe, estimator):
        points.append(point)
        bar.progress(len(points) / (len(SIZES) * len(RULES)), f"{RULES[point.rule][0]}: {point.n:,} points")
    bar.empty()
    return points


def _recipe(dataset: Dataset) -> Recipe:
    return Recipe(dataset.name, dataset.n, dataset.noise, dataset.seed)


def code(lab: Lab) -> None:
    """The code that made the picture; a tab here, since even a closed expander is drawn anew with every width."""
    st.code(script(lab.dataset, lab.estimator), language="python")


def taken_home(dataset: Dataset, kernel: str, linear: bool, page: str = "kr") -> Export:
    """What is on the stage when Download is pressed; the width is the fragment's own."""
    return exported(dataset, Estimator(st.session_state[f"{page}_width"], kernel, linear))


QUESTION = "Sharpen until the curve follows every point. Which error does not notice, and why?"

# What follows from one width; the tabs beside Numbers.
VIEWS = {
    "one_query": one_query,
    "which_width": which_width,
    "bias_variance": bias_and_variance,
    "more_data": more_data,
    "code": code,
}


def equation(kernel: str, linear: bool) -> str:
    """The estimator's formula in LaTeX, in lines that a phone is wide enough for."""
    score = rf"K(u) = {KERNELS[kernel].formula}, \quad u_i = \frac{{q - k_i}}{{\sigma}}"
    if linear:
        lines = [r"f(q) = a \text{ of } \min_{a, b}", r"\sum_i K(u_i)\,\big(v_i - a - b\,(k_i - q)\big)^2", score]
    else:
        average = r"f(q) = \sum_i \frac{K(u_i)}{\sum_j K(u_j)}\, v_i"
        lines = [average, r"\phantom{f(q)} = \operatorname{softmax}(\log K(u))\, v", score]
    return r"\begin{gathered} " + r" \\ ".join(lines) + r" \end{gathered}"
