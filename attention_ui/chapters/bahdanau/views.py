"""The views of the chapter by their ids; each draws itself, and returns its code, its export and what is left."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from attention_ui.chapters.bahdanau import explain, lengths, steps, train
from attention_ui.chapters.bahdanau.export import explain_export, lengths_export, steps_export
from attention_ui.chapters.bahdanau.export_training import training_export
from attention_ui.chapters.bahdanau.snippets import explain_snippet, lengths_snippet, steps_snippet, train_snippet
from attention_ui.chapters.bahdanau.state import PAGE
from attention_ui.export import Export
from attention_ui.live.sequences import rest


class Drawn(NamedTuple):
    """A view that stands on the page."""

    snippet: Callable[[], str]  # writes its code
    export: Callable[[], Export]  # makes what can be taken home
    last: Callable[[], None] = partial(rest, PAGE)  # to be called when the page stands


def step_through() -> Drawn:
    """One written symbol at a time."""
    chosen = steps.show()
    return Drawn(lambda: steps_snippet(chosen), lambda: steps_export(chosen))


def train_live() -> Drawn:
    """Alignment learned before your eyes."""
    plan, go_on = train.show()
    return Drawn(lambda: train_snippet(plan), lambda: training_export(train.shown(plan)), go_on)


def with_and_without() -> Drawn:
    """The bottleneck of a fixed context."""
    length = lengths.show()
    return Drawn(lambda: lengths_snippet(length), lambda: lengths_export(length))


def explained() -> Drawn:
    """Attention put to the test as an explanation."""
    chosen, row = explain.show()
    return Drawn(lambda: explain_snippet(chosen, row), lambda: explain_export(chosen, row))


VIEWS: dict[str, Callable[[], Drawn]] = {
    "steps": step_through,
    "train": train_live,
    "lengths": with_and_without,
    "explain": explained,
}
TABS = {
    "steps": "Step through decoding",
    "train": "Train live",
    "lengths": "With and without attention",
    "explain": "Explainability",
}
