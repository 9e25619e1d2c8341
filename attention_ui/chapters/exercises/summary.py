"""The results as plain text, to paste into a mail or a homework."""

import re

from attention_ui.chapters.exercises.contents import EXERCISES
from attention_ui.chapters.exercises.judging import Judged, judged
from attention_ui.chapters.exercises.progress import Progress

PLAIN = {
    r"\tfrac12 ": "1/2 ",
    r"\sqrt{d}": "√d",
    r"\times": "×",
    r"w^\top": "w ·",
    r"\tanh": "tanh",
    ")^2": ")²",
}


def results(progress: Progress) -> dict[int, Judged]:
    """Every answered exercise by its place, judged."""
    return {
        place: judged(EXERCISES[place], code, progress.seed_of(place))
        for place in progress.answered
        if (code := progress.code(place)) is not None
    }


def counted(done: dict[int, Judged]) -> str:
    """How many exercises are answered and held, as in "5 of 21 answered, 4 held"."""
    return f"{len(done)} of {len(EXERCISES)} answered, {sum(each.held for each in done.values())} held"


def summary(progress: Progress, done: dict[int, Judged], address: str) -> str:
    """Question, prediction, result and seed of every answered exercise, and the link to all of it."""
    parts = [f"Attention Lab, exercises: {counted(done)}."]
    parts += [_one(progress, place, each) for place, each in done.items()]
    parts.append(f"All of it: {address}?{progress.query}")
    return "\n\n".join(parts)


def _one(progress: Progress, place: int, each: Judged) -> str:
    tries = progress.try_of(place)
    again = f", try {tries + 1}" if tries else ""
    numbers = "; ".join(f"{name} {number}" for name, number in each.numbers.items())
    return "\n".join(
        [
            f"{place + 1}. {each.exercise.title}: {'held' if each.held else 'did not hold'} (seed {each.seed}{again})",
            f"   Question: {_plain(each.exercise.question)}",
            f"   Predicted: {each.said}",
            f"   Found: {each.exercise.found(each.finding)} ({numbers})",
        ]
    )


def _plain(markdown: str) -> str:
    """The words of a question without Markdown, its formulas in plain signs."""
    for signs, plain in PLAIN.items():
        markdown = markdown.replace(signs, plain)
    return re.sub(r"\*\*|\$|\\(big|,)", "", markdown)
