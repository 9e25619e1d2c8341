"""A page as it was drawn: enough to show it again without a server. shown.py notes it; a notebook makes one itself."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Part(NamedTuple):
    """A component on the page: its kind, its key, and what it was given."""

    kind: str
    key: str
    data: Any  # bytes, or what JSON can carry


class Slider(NamedTuple):
    """A slider that pictures may follow: its words, where it stands, and what each position reads."""

    key: str
    label: str
    position: int
    texts: tuple[str, ...]


@dataclass
class Shown:
    """A page as it was drawn."""

    title: str
    claim: str
    parts: list[Part] = field(default_factory=list)
    sliders: list[Slider] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)  # what each control was set to, by its label
    formulas: list[str] = field(default_factory=list)  # in LaTeX
    questions: list[str] = field(default_factory=list)
