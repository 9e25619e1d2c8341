"""The views of the chapter by their names; each draws itself, and returns its code and what is left to do."""

from collections.abc import Callable

from attention_ui.bahdanau import explain, lengths, steps, train
from attention_ui.bahdanau.snippets import explain_snippet, lengths_snippet, steps_snippet, train_snippet

Drawn = tuple[Callable[[], str], Callable[[], None]]  # writes the code; to be called when the page stands


def step_through() -> Drawn:
    """One written symbol at a time."""
    chosen = steps.show()
    return lambda: steps_snippet(chosen), train.rest


def train_live() -> Drawn:
    """Alignment learned before your eyes."""
    plan, go_on = train.show()
    return lambda: train_snippet(plan), go_on


def with_and_without() -> Drawn:
    """The bottleneck of a fixed context."""
    length = lengths.show()
    return lambda: lengths_snippet(length), train.rest


def explained() -> Drawn:
    """Attention put to the test as an explanation."""
    chosen = explain.show()
    return lambda: explain_snippet(chosen), train.rest


VIEWS: dict[str, Callable[[], Drawn]] = {
    "Step through decoding": step_through,
    "Train live": train_live,
    "With and without attention": with_and_without,
    "Explainability": explained,
}
