"""An exercise: a question, the answers to choose from, and how to show what the experiment found."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from attention_core.experiments import Finding
from attention_ui.export.writing import Field
from attention_ui.numbers import short
from attention_ui.pictures.picture import Picture


@dataclass(frozen=True)
class Choice:
    """Answers by the name that the experiment gives them, in the order they are offered."""

    answers: Mapping[str, str]
    usual: str  # the one that nearly every seed speaks for

    @property
    def codes(self) -> tuple[str, ...]:
        """What can be chosen."""
        return tuple(self.answers)

    def words(self, code: str) -> str:
        """An answer as the student reads it."""
        return self.answers.get(code, "none of these")

    def holds(self, code: str, finding: Finding) -> bool:
        """Whether the numbers speak for this answer."""
        return code == finding.answer


@dataclass(frozen=True)
class Guess:
    """A number to guess on a slider; it holds when it is near enough."""

    options: tuple[float, ...]
    start: float
    near: float  # a factor for a number that may be of any size, else a difference
    factor: bool = False
    usual = ""

    @property
    def codes(self) -> tuple[str, ...]:
        """What can be chosen."""
        return tuple(f"{option:g}" for option in self.options)

    def words(self, code: str) -> str:
        """A guess as the student reads it."""
        return code

    @property
    def rule(self) -> str:
        """When a guess holds."""
        return f"within a factor of {short(self.near)}" if self.factor else f"not more than {short(self.near)} off"

    def holds(self, code: str, finding: Finding) -> bool:
        """Whether the guess is near the number that was found."""
        guess, found = float(code), float(finding.answer)
        off = abs(math.log(guess / found)) if self.factor else abs(guess - found)
        return off <= (math.log(self.near) if self.factor else self.near) + 1e-9


class Drawing(NamedTuple):
    """How a script draws what was found: a function of script_parts, and its arguments."""

    function: str
    arguments: Mapping[str, Any]


def graphs(x: Any, lines: tuple[str, ...], **more: Any) -> Drawing:
    """Some of the tensors that were found, as lines over another."""
    return Drawing("graphs", {"x": x, "lines": {name: Field(name) for name in lines}, **more})


def heatmaps(*names: str, **more: Any) -> Drawing:
    """Some of the matrices that were found, side by side."""
    return Drawing("heatmaps", {"matrices": {name: Field(name) for name in names}, **more})


def bar_panels(**panels: tuple[Sequence[str], Field]) -> Drawing:
    """Panels of bars by their titles, each with the names of its bars and their heights."""
    return Drawing("bars", {"panels": {title.replace("_", " "): panel for title, panel in panels.items()}})


@dataclass(frozen=True)
class Exercise:
    """One question and all that belongs to it; the experiment has the same name."""

    name: str
    chapter: str  # where one can play on with it
    title: str
    question: str
    answer: Choice | Guess
    before: Callable[[int], Picture]  # the set-up, from the seed alone
    setup: str  # what that picture shows
    after: Callable[[Finding], Picture]
    why: Callable[[Finding], str]
    link: Callable[[int], dict[str, str]] = lambda seed: {}  # what the chapter's link should say
    drawing: Drawing = field(kw_only=True)

    def found(self, finding: Finding) -> str:
        """What the experiment found, in words."""
        return self.answer.words(finding.answer) if isinstance(finding.answer, str) else short(finding.answer)
