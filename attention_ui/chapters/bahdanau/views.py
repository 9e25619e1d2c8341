"""The views of the chapter by their ids; each draws itself, with its formula and its code below."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from attention_ui.chapters.bahdanau import explain, lengths, steps, train_live
from attention_ui.chapters.bahdanau.export import explain_export, lengths_export, steps_export, training_export
from attention_ui.export.code import code
from attention_ui.export.trainings import planned
from attention_ui.export.view import Export, View
from attention_ui.live.sequences import rest
from attention_ui.shown import show_formula

FORMULA = (
    r"\begin{gathered} e_{t,i} = a(s_{t-1}, h_i) \\ \alpha_{t,i} = \operatorname{softmax}_i(e_{t,i}) \\ "
    r"c_t = \sum_i \alpha_{t,i}\, h_i \end{gathered}"
)


def step_through(page: str) -> View:
    """The view that steps through decoding, one written symbol at a time."""
    chosen = steps.show()
    return _finished(page, lambda: steps_export(chosen))


def train(page: str) -> View:
    """The view that trains a model while it is watched."""
    plan, go_on = train_live.show()
    _below(page, lambda: planned(plan).script(f"bahdanau-training-{plan.task_name}", plan.task.label).text)
    return View(lambda: training_export(train_live.shown(plan)), go_on)


def with_and_without(page: str) -> View:
    """The view that compares attention with a fixed context."""
    length = lengths.show()
    return _finished(page, lambda: lengths_export(length))


def explained(page: str) -> View:
    """The view that tests attention as an explanation."""
    chosen, row = explain.show()
    return _finished(page, lambda: explain_export(chosen, row))


def _finished(page: str, export: Callable[[], Export]) -> View:
    """A view of ready models, with the code that ran; a visitor's own training rests meanwhile."""
    _below(page, lambda: export().with_core().text)
    return View(export, partial(rest, page))


def _below(page: str, script: Callable[[], str]) -> None:
    """What stands below every view: the formula, and the code."""
    show_formula(FORMULA)
    st.caption(
        r"$a(s, h) = w_v^\top \tanh(W_q s + W_k h)$ is the additive score of Bahdanau, Cho and Bengio (2015). It is "
        "learned with the rest of the model."
    )
    code(page, script)


VIEWS: dict[str, Callable[[str], View]] = {
    "steps": step_through,
    "train": train,
    "lengths": with_and_without,
    "explain": explained,
}
TABS = {
    "steps": "Step through decoding",
    "train": "Train live",
    "lengths": "With and without attention",
    "explain": "Explainability",
}
