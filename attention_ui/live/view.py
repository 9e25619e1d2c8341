"""How a training run is watched: its buttons, and a progress bar under which it goes on."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from attention_ui.gate import told
from attention_ui.link.choice import write_link
from attention_ui.live.run import TrainingRun
from attention_ui.live.sequences import Made, Plan, SequenceRun, begin, begin_again, rest, run_of
from attention_ui.seams import Container

TICK = 0.1  # seconds of training between two signs of life: what a Stop or a closed tab waits for
PICTURE = 0.5  # seconds of training between two pictures


def train_button(page: str, words: str, plan: Plan[Any], run: TrainingRun[Any] | None) -> None:
    """The button that begins a run of this plan, while none goes on."""
    running = run is not None and run.running
    st.button(words, key=f"{page}_train", type="primary", on_click=begin, args=(page, plan), disabled=running)


def stop_button(page: str, run: TrainingRun[Any]) -> None:
    """The button that stops the run."""
    st.button("Stop", key=f"{page}_stop", on_click=run.stop)


def go_on_button(page: str, run: TrainingRun[Any] | None, disabled: bool = False, words: str = "Go on") -> None:
    """The button that takes up a stopped run."""
    st.button(words, key=f"{page}_go_on", on_click=run.go_on if run else None, disabled=disabled)


def again_button(page: str, made: Made[Any], disabled: bool = False) -> None:
    """The button that trains the run of the link again."""
    key, called = f"{page}_again", (page, made)
    st.button("Train again", key=key, type="primary", on_click=begin_again, args=called, disabled=disabled)


def watch(run: TrainingRun[Any], bar: Container, words: Callable[[], str], seconds: float = math.inf) -> None:
    """Train for so long, or to the end, under a progress bar with these words; then draw the page again.

    Call it last on the page: a click or a closed tab ends it at the next tick.
    """
    write_link()  # its end may be far off
    until = run.seconds + seconds
    while run.running and run.seconds < until:
        with told(partial(show_progress, run, bar)):
            run.advance(TICK)
        show_progress(run, bar, words())
    st.rerun()


def resting_run(page: str) -> SequenceRun[Any] | None:
    """The visitor's run, stopped while it is taken home, or where nobody has looked at it for a while."""
    if st.session_state.get("download"):
        rest(page)  # what is taken home must not move on, and the next picture would close the dialog
    run = run_of(page)
    if run:
        run.rest_if_left()
    return run


def training_on(run: TrainingRun[Any] | None, bar: Container, words: Callable[[], str]) -> Callable[[], None]:
    """What a page calls last: it trains the run until the next picture, if the run goes on."""
    return lambda: watch(run, bar, words, PICTURE) if run and run.running else None


def show_progress(run: TrainingRun[Any], bar: Container, words: str) -> None:
    """Show how much of the run is done, with these words."""
    bar.progress(run.step / run.total, words)
