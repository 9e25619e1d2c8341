"""What the kernel-regression page says below its picture: numbers, the lens, the choice of a width, more data."""

import json
import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from typing import NamedTuple, TypeVar

import pandas as pd
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
from attention_ui.export.lab import exported, script
from attention_ui.export.view import Export
from attention_ui.gate import turn
from attention_ui.link.choice import write_link
from attention_ui.link.held import bring_text, held_text, hold_text
from attention_ui.link.lesson import locked_names
from attention_ui.pictures import cache as shared
from attention_ui.pictures.picture import pack, show_frames
from attention_ui.pictures.waiting import waiting
from attention_ui.shown import show_formula

NEEDS_NEW_DATA = "This tab draws new data sets, so it needs a made-up function: choose one under Data."
NUMBERS, ONE_QUERY, TIME = "numbers", "one_query", "time"
MOST_POINTS = 100_000  # on the slider
TABS = {
    NUMBERS: "Numbers",
    ONE_QUERY: "One query",
    "which_width": "Which width?",
    "bias_variance": "Bias and variance",
    "more_data": "More data",
    TIME: "How the time grows",
    "code": "The code",
}

P = TypeVar("P", Point, Timed)  # a part of an experiment


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
    def estimator(self) -> Estimator:
        """With the width as it was when the page was drawn."""
        return Estimator(st.session_state[f"{self.page}_width"], self.kernel, self.linear)

    @property
    def model(self) -> tuple[Dataset, str, bool, tuple[float, ...], str]:
        """What every picture depends on."""
        return self.dataset, self.kernel, self.linear, self.widths, self.page


def numbers(asked: Asked) -> None:
    """Errors of all estimators in one small table, and how sharp attention is as a number."""
    with working(asked):
        packed = cache.packed_numbers(*asked.model)
    show_frames(f"{asked.page}_numbers", packed)


def one_query(asked: Asked) -> None:
    """The weights of the pinned query, and what every point adds to its prediction."""
    with working(asked):
        packed = cache.packed_query(*asked.model, asked.query)
    show_frames(f"{asked.page}_lens", packed)
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
    """A bar where there are so many points that a picture takes a while."""
    return waiting("Working it out ...", len(asked.dataset.samples().x))


def chosen_widths(dataset: Dataset, kernel: str, linear: bool) -> dict[str, float]:
    """The widths that the rules choose, with a bar where it takes a while."""
    with waiting("Looking for the best width ...", len(dataset.samples().x)):
        return shared.chosen_widths(dataset, kernel, linear)


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


def more_data(asked: Asked) -> Callable[[], None] | None:
    """Error against n for three rules: one fixed width, and two that narrow as data grow."""
    if not asked.dataset.has_truth:
        st.info(NEEDS_NEW_DATA)
        return None
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
    else:
        bring_text(key)
    st.caption(
        "With more points the variance falls towards 0. Where the width narrows as well, the bias falls too; with a "
        "fixed width it stays."
    )
    return afterwards


def time_grows(asked: Asked) -> Callable[[], None] | None:
    """How long predictions take over n, measured here and now by every pair and by kernel sums, and why."""
    words, width = f"Measure it: {TIMED[0]} to {TIMED[-1]:,} points", asked.estimator.width
    times, afterwards = experiment(f"{asked.page}_time", words, asked.estimator, lambda: growth(asked.estimator))
    if len(times) > 3:  # both ways at two sizes
        show_frames(f"{asked.page}_time_picture", pack(time_over_n(times)))
        st.markdown(time_text(times))
    st.markdown(WHY)
    smooth, n = smooth_sum(asked.dataset.samples(), width), len(asked.dataset.samples().x)
    show_frames(f"{asked.page}_smooth_picture", pack(smooth_picture(smooth, n)))
    st.caption(smooth_text(smooth, n, width))
    return afterwards


def experiment(
    key: str, words: str, asked: object, run: Callable[[], Iterator[P]]
) -> tuple[list[P], Callable[[], None] | None]:
    """A button that runs an experiment; returns what it has found so far, and what the page then calls last.

    Between two pieces it ends where a visitor presses Stop, asks for something else or leaves. Not in a fragment: a
    click inside the same fragment would not end it.
    """
    begun, rest = st.columns([1, 2], vertical_alignment="center")
    pressed = begun.button(words, key=f"{key}_run", width="stretch")
    kept: tuple[object, list[P]] = (asked, []) if pressed else st.session_state.get(f"{key}_ran", (None, []))
    if not pressed:
        return (kept[1] if kept[0] == asked else []), None
    st.session_state[f"{key}_ran"] = kept
    with rest.container(horizontal=True, vertical_alignment="center"):
        st.button("Stop", key=f"{key}_stop")  # any click ends the run that goes on
        bar = st.progress(0.0, "Running ...")

    def finish() -> None:
        write_link()  # its end may be far off
        words: Callable[[], str] = lambda: f"{kept[1][-1].n if kept[1] else 0:,} points done ..."  # noqa: E731
        with watched(lambda share: bar.progress(share, words())), turn():
            for found in run():
                kept[1].append(found)
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


def code(lab: Lab) -> None:
    """The code that made the picture; a tab here, since even a closed expander is drawn anew with every width."""
    st.code(script(lab.dataset, lab.estimator), language="python")


def taken_home(dataset: Dataset, kernel: str, linear: bool, page: str = "kr") -> Export:
    """What is on the stage when Download is pressed, with the times that were measured; the width is the fragment's."""
    made = exported(dataset, Estimator(st.session_state[f"{page}_width"], kernel, linear))
    _, times = st.session_state.get(f"{page}_time_ran", (None, []))
    return replace(made, tables=made.tables | {"times": pd.DataFrame(times)}) if times else made


WHY = (
    "**A sum of smooth bumps is smooth.** Over one cell, one or two widths long, a sum of Gaussians is known "
    "everywhere once it is known at a few places, however many keys it adds up. So keys are gathered at such places "
    "first, and no query has to meet every key."
)
QUESTION = "Sharpen until the curve follows every point. Which error still falls, and why?"

# The pictures of the tabs, which hold every width and may give what the page calls last; and what follows the width.
PICTURES: dict[str, Callable[[Asked], Callable[[], None] | None]] = {
    NUMBERS: numbers,
    ONE_QUERY: one_query,
    "which_width": which_width,
    "bias_variance": bias_and_variance,
    "more_data": more_data,
    TIME: time_grows,
}
VIEWS = {ONE_QUERY: written_out, "code": code}


def equation(kernel: str, linear: bool) -> str:
    """The estimator's formula in LaTeX, in lines that a phone is wide enough for."""
    score = rf"K(u) = {KERNELS[kernel].formula}, \quad u_i = \frac{{q - k_i}}{{\sigma}}"
    if linear:
        lines = [r"f(q) = a \text{ of } \min_{a, b}", r"\sum_i K(u_i)\,\big(v_i - a - b\,(k_i - q)\big)^2", score]
    else:
        average = r"f(q) = \sum_i \frac{K(u_i)}{\sum_j K(u_j)}\, v_i"
        lines = [average, r"\phantom{f(q)} = \operatorname{softmax}(\log K(u))\, v", score]
    return r"\begin{gathered} " + r" \\ ".join(lines) + r" \end{gathered}"
