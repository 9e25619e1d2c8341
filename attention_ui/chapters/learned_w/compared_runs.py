"""Runs: the current one and the last three beside each other, in numbers."""

import streamlit as st

from attention_core.data import truth
from attention_core.regression.quality import accuracy
from attention_ui.chapters.learned_w.computation import at_epoch
from attention_ui.chapters.learned_w.export import no_picture
from attention_ui.chapters.learned_w.runs import MixedStep, Run, Trained, difference, epochs_of, runs_of
from attention_ui.export.view import View
from attention_ui.numbers import short, table
from attention_ui.reading.literal import literal


def show(run: Run) -> View:
    """The current run and the last three, by what sets them apart."""
    rows = [row_of(each.trained(), run) for each in reversed(runs_of(run.page))]
    st.markdown(table(rows[0], (row.values() for row in rows)))
    if len(rows) == 1:
        st.caption("Change a control and train again: this run stays here, and as a faint line in the graphs.")
    return View(no_picture)


def row_of(trained: Trained, current: Run) -> dict[str, str]:
    """One line of the comparison."""
    same = trained.plan == current.plan
    last = trained.steps[-1]
    w = ", ".join(short(each, 4) for each in last.w) if isinstance(last, MixedStep) else short(last.w, 5)
    row = {"Run": "Now" if same else literal(difference(trained.plan, current.plan)), "Final $w$": w}
    row["Final loss"] = short(final_loss(trained), 5)
    error = truth_error(trained)
    row["True error"] = "unknown" if error is None else short(error, 4)
    return row


def final_loss(trained: Trained) -> float:
    """The loss at the last w."""
    return float(epochs_of(trained)["losses"][-1])


def truth_error(trained: Trained) -> float | None:
    """Mean squared error against the truth, where it is known."""
    known = trained.plan.dataset.true_curve
    if not known:
        return None
    ended = at_epoch(trained, len(trained.steps)).shown
    return accuracy(ended["output"], truth(known, ended["queries"])).error
