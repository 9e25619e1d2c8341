"""Notes what a page shows in the run in which Download is pressed.

In every other run nothing is noted, so that a visit costs no more memory than before.
"""

import re
from typing import Any

import streamlit as st

from attention_ui.snapshot import Part, Shown, Slider

IMAGE = re.compile(r"!\[([^]]*)\]\([^)]*\)")  # in Markdown, with its words
SHOWN, WANTED = "shown", "shown_wanted"  # where it is kept, and that somebody wants to take it home


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
