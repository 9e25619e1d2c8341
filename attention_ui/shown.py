"""What a page shows in the run in which Download is pressed: enough to show it again without a server.

In every other run nothing is noted, so that a visit costs no more memory than before.
"""

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import streamlit as st

IMAGE = re.compile(r"!\[([^]]*)\]\([^)]*\)")  # in Markdown, with its words
SHOWN, WANTED = "shown", "shown_wanted"  # where it is kept, and that somebody wants to take it home


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


def take_along() -> None:
    """Let the run that follows note what it shows, also where it is begun anew before its end."""
    st.session_state[WANTED] = True


def begin(title: str, claim: str) -> None:
    """Note what follows, if Download has just been pressed."""
    if st.session_state.get(WANTED):
        st.session_state[SHOWN] = Shown(title, claim)
    else:
        st.session_state.pop(SHOWN, None)


def is_wanted() -> bool:
    """Whether Download was pressed since the page was drawn last; asked at the end of a page, and true once."""
    return bool(st.session_state.pop(WANTED, False))


def shown() -> Shown | None:
    """What has been drawn so far in this run; None where nobody wants to take it home."""
    noted: Shown | None = st.session_state.get(SHOWN)
    return noted


def note_part(kind: str, key: str, data: Any) -> None:
    """Note a component."""
    if noted := shown():
        noted.parts.append(Part(kind, key, data))


def note_slider(key: str, label: str, position: int, texts: tuple[str, ...]) -> None:
    """Note a slider."""
    if noted := shown():
        noted.sliders.append(Slider(key, label, position, texts))


def note_setting(label: str, text: str) -> None:
    """Note what a control is set to."""
    if noted := shown():
        noted.settings[IMAGE.sub(r"\1", label)] = IMAGE.sub(r"\1", text)


def show_formula(text: str, **drawn: Any) -> None:
    """Show a formula in LaTeX."""
    if noted := shown():
        noted.formulas.append(text)
    st.latex(text, **drawn)


def ask(text: str) -> None:
    """Show a question to try."""
    if noted := shown():
        noted.questions.append(text)
    st.info(text)
