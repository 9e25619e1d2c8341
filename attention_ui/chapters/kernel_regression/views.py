"""What the kernel-regression page says below its picture: numbers, one query, the choice of a width, more data."""

import json
import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import TypeVar

import streamlit as st
from torch import Tensor

from attention_core.kernels import KERNELS
from attention_core.progress import watched
from attention_core.regression.estimator import Estimator
from attention_core.regression.growth import SIZES as TIMED
from attention_core.regression.growth import Timed, growth, smooth_sum
from attention_core.regression.more_data import RULES as GROWN
from attention_core.regression.more_data import SIZES, Point, consistency
from attention_core.regression.one_query import explain
from attention_core.regression.redraw import Recipe
from attention_ui.chapters.kernel_regression import cache
from attention_ui.chapters.kernel_regression.choices import NUMBERS, ONE_QUERY, TIME, Asked
from attention_ui.chapters.kernel_regression.export import taken_home
from attention_ui.chapters.kernel_regression.formula import formula
from attention_ui.chapters.kernel_regression.pictures import (
    drawn_text,
    error_over_n,
    smooth_picture,
    smooth_text,
    time_over_n,
    time_text,
)
from attention_ui.component import told
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.width import RULES
from attention_ui.export.lab import script
from attention_ui.export.view import View, nothing
from attention_ui.gate import turn
from attention_ui.link.choice import write_link
from attention_ui.link.held import bring_text, held_text, hold_text, keep_name
from attention_ui.link.lesson import hides
from attention_ui.pictures import cache as shared
from attention_ui.pictures.picture import pack, show_frames
from attention_ui.pictures.waiting import MANY, waiting
from attention_ui.shown import show_formula

NEEDS_NEW_DATA = "This tab draws new data sets, so it needs a made-up function. Choose one under **Data**."
P = TypeVar("P", Point, Timed)  # a part of an experiment


def captions(asked: Asked, output: Tensor) -> None:
    """Say where the width has no effect, and how many queries reach no key."""
    lost = int(output.isnan().sum())
    if asked.kernel == "constant":
        does = "fits one straight line to all points" if asked.linear else "is average pooling"
        st.caption(f"The constant kernel gives every point the same weight, so this {does}, whatever $\\sigma$ is.")
    elif lost:
        wider = "" if hides("width") else r": choose a wider $\sigma$"
        st.caption(f"{lost} of {len(output)} queries reach no key, so the curve has gaps there{wider}.")


def numbers(asked: Asked) -> View:
    """Errors of all estimators in one small table, and how sharp attention is as a number."""
    with working(asked):
        packed = cache.packed_numbers(*asked.model)
    show_frames(f"{asked.page}_numbers", packed)
    return _view(asked)


def one_query(asked: Asked) -> View:
    """The weights of the pinned query, and what every point adds to its prediction."""
    with working(asked):
        packed = cache.packed_query(*asked.model, asked.query)
    show_frames(f"{asked.page}_lens", packed)
    st.caption(f"Choose another query in the heatmap or the curve. {drawn_text(len(asked.dataset.samples().x))}")
    return _view(asked, follow=lambda: written_out(asked))


def which_width(asked: Asked) -> View:
    """Leave-one-out error over sigma, with the usual choices marked; a locked rule has no mark, which would tell it."""
    rules = tuple(rule for rule in RULES if not hides(f"rule_{rule}"))
    with working(asked):
        packed = cache.packed_errors(*asked.model, rules)
    show_frames(f"{asked.page}_errors", packed, on_chosen=lambda: take_width(asked))
    st.caption(
        "Each point is predicted from all the others. A width that is too narrow repeats the noise; one that is too "
        "wide misses the curve."
    )
    return _view(asked)


def take_width(asked: Asked) -> None:
    """Set the width that was chosen on the curve."""
    frame = told(f"{asked.page}_errors", "chosen")
    if isinstance(frame, int) and 0 <= frame < len(asked.widths):
        st.session_state[f"{asked.page}_width"] = asked.widths[frame]


def working(asked: Asked) -> AbstractContextManager[None]:
    """A bar where there are so many points that a picture takes a while."""
    return waiting(f"{asked.page}_tab", asked.dataset, "Working it out ...")


def chosen_widths(dataset: Dataset, kernel: str, linear: bool) -> dict[str, float]:
    """The widths that the rules choose, with a bar where it takes a while."""
    with waiting("rules", dataset, "Looking for the best width ..."):
        return shared.chosen_widths(dataset, kernel, linear)


def bias_and_variance(asked: Asked) -> View:
    """Squared bias and variance at every width, from data that are redrawn a hundred times."""
    if not asked.dataset.has_truth:
        st.info(NEEDS_NEW_DATA)
        return _view(asked)
    # A hundred data sets are about as much work as one of ten times the points is elsewhere.
    with waiting(f"{asked.page}_tab", asked.dataset, "Working it out ...", many=MANY // 10):
        packed = cache.packed_redraws(*asked.model)
    show_frames(f"{asked.page}_bias", packed)
    st.caption(
        r"100 new data sets are drawn and predicted at every $\sigma$. Squared bias: how far the mean of the "
        "predictions is from the truth. Variance: how much the predictions differ from each other."
    )
    return _view(asked)


def written_out(asked: Asked) -> None:
    """The average of the pinned query written out, and what it would be without its strongest point."""
    seen = explain(asked.query, asked.dataset.samples(), asked.estimator)
    show_formula(formula(seen))
    if seen.reached:
        x_strong, y_strong = (float(column[seen.strongest]) for column in seen.samples)
        without = seen.without(seen.strongest)
        would = f"the prediction would be **{without:.4g}** instead of {seen.prediction:.4g}."
        none = "there would be **no prediction** here: no other key is in reach."
        st.markdown(
            f"The strongest point, key {x_strong:.4g} with value {y_strong:.4g}, holds "
            f"{seen.weights[seen.strongest]:.1%} of the weight. Without it {would if math.isfinite(without) else none}"
        )


def more_data(asked: Asked) -> View:
    """Error against n for three rules: one fixed width, and two that narrow as data grow."""
    if not asked.dataset.has_truth:
        st.info(NEEDS_NEW_DATA)
        return _view(asked)
    given = _recipe(asked.dataset), asked.estimator
    words = f"Run the experiment: {SIZES[0]} to {SIZES[-1]:,} points"
    key = f"{asked.page}_more"
    points, afterwards = experiment(key, words, given, lambda: consistency(*given))
    if not points and not afterwards:
        points = _read_points(held_text(key), given)
    whole = len(points) // len(GROWN) * len(GROWN)  # a run that was stopped may have met an n by some rules alone
    if whole > len(GROWN):
        hold_text(key, _written_points(given, points[:whole]))
        show_frames(f"{key}_picture", pack(error_over_n(points[:whole])))
    elif afterwards:
        keep_name(key)  # the browser's answer would end the run that has begun
    else:
        bring_text(key)
    st.caption(
        "With more points the variance falls towards 0. Where the width narrows as well, the bias falls too; with a "
        "fixed width it stays."
    )
    return _view(asked, afterwards or nothing)


def time_grows(asked: Asked) -> View:
    """How long predictions take over n, measured here and now by every pair and by kernel sums, and why."""
    words, width = f"Measure it: {TIMED[0]} to {TIMED[-1]:,} points", asked.estimator.width
    times, afterwards = experiment(f"{asked.page}_time", words, asked.estimator, lambda: growth(asked.estimator))
    with st.container(key=f"{asked.page}_width_waits_time"):
        if len(times) > 3:  # both ways at two sizes
            show_frames(f"{asked.page}_time_picture", pack(time_over_n(times)))
            st.markdown(time_text(times))
        st.markdown(WHY)
        smooth, n = smooth_sum(asked.dataset.samples(), width), len(asked.dataset.samples().x)
        show_frames(f"{asked.page}_smooth_picture", pack(smooth_picture(smooth, n)))
        st.caption(smooth_text(smooth, n, width))
    return _view(asked, afterwards or nothing)


def experiment(
    key: str, words: str, asked: object, run: Callable[[], Iterator[P]]
) -> tuple[list[P], Callable[[], None] | None]:
    """A button that runs an experiment; returns what it has found so far, and what the page then calls last.

    Between two pieces it ends where a visitor presses Stop, asks for something else or leaves. Not in a fragment: a
    click inside the same fragment would not end it.
    """
    begun, rest = st.columns([1, 2], vertical_alignment="center")
    ran, wanted = f"{key}_ran", f"{key}_wanted"
    # A press is remembered until the experiment begins: the run that it asked for may be begun anew before.
    begun.button(words, key=f"{key}_run", width="stretch", on_click=st.session_state.__setitem__, args=(wanted, True))
    if not st.session_state.get(wanted):
        before: tuple[object, list[P]] = st.session_state.get(ran, (None, []))
        return (before[1] if before[0] == asked else []), None
    found: list[P] = []
    with rest.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", key=f"{key}_stop")  # any click ends the run that goes on
        bar = st.progress(0.0, "Running ...")

    def finish() -> None:
        st.session_state[ran] = asked, found
        del st.session_state[wanted]
        write_link()  # its end may be far off
        with watched(lambda share: bar.progress(share, f"{found[-1].n if found else 0:,} points done ...")), turn():
            for each in run():
                found.append(each)
        st.rerun()

    return [], finish


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
    if rule not in GROWN or n not in SIZES or not (0 < width < math.inf and 0 <= error < math.inf):
        raise ValueError("There is no such point.")
    return Point(rule, n, width, error)


def _recipe(dataset: Dataset) -> Recipe:
    return Recipe(dataset.name, dataset.n, dataset.noise, dataset.seed)


def code(asked: Asked) -> View:
    """The code that made the picture; a tab here, since even a closed expander is drawn anew with every width."""
    return _view(asked, follow=lambda: st.code(script(asked.dataset, asked.estimator), language="python"))


def _view(asked: Asked, afterwards: Callable[[], None] = nothing, follow: Callable[[], object] = nothing) -> View:
    return View(lambda: taken_home(asked), afterwards, follow)


WHY = (
    "**Adding smooth curves gives a smooth curve, so a few places are enough.** Over one cell, one or two widths long, "
    "a sum of Gaussians is known everywhere once it is known at a few places, however many keys it adds up. Kernel "
    "sums first add up the keys at such places, so no query has to meet every key."
)
QUESTION = "Sharpen until the curve follows every point. Which error still falls, and why?"

# Their pictures hold every width; what one width changes is in what they leave to follow the slider.
VIEWS: dict[str, Callable[[Asked], View]] = {
    NUMBERS: numbers,
    ONE_QUERY: one_query,
    "which_width": which_width,
    "bias_variance": bias_and_variance,
    "more_data": more_data,
    TIME: time_grows,
    "code": code,
}


def equation(kernel: str, linear: bool) -> str:
    """The estimator's formula in LaTeX, in lines that a phone is wide enough for."""
    score = rf"K(u) = {KERNELS[kernel].formula}, \quad u_i = \frac{{q - k_i}}{{\sigma}}"
    if linear:
        lines = [
            r"f(q) = a, \quad (a, b) = \operatorname{argmin}_{a, b}",
            r"\sum_i K(u_i)\,\big(v_i - a - b\,(k_i - q)\big)^2",
            score,
        ]
    else:
        average = r"f(q) = \sum_i \frac{K(u_i)}{\sum_j K(u_j)}\, v_i"
        lines = [average, r"\phantom{f(q)} = \operatorname{softmax}(\log K(u))\, v", score]
    return r"\begin{gathered} " + r" \\ ".join(lines) + r" \end{gathered}"
