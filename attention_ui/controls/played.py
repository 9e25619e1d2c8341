"""The symbol at which a picture that writes symbol by symbol stands: chosen by its player, kept in the link."""

import streamlit as st

from attention_ui.link.choice import Choice, kept, note
from attention_ui.link.texts import number_reader, written

MOST = 99  # symbols


def played_frame(page: str, picture: str, frames: int, first: int = 0) -> int:
    """The frame of the symbol that was played to, else of the one in the link, else the first to be shown.

    The picture's name says what is written: another one begins anew.
    """
    choice = Choice[int | None](f"{page}_at", None, number_reader(1, MOST), written)
    symbol = kept(choice)
    before = st.session_state.setdefault(f"{page}_at_of", picture)
    st.session_state[f"{page}_at_of"] = picture
    fits = before == picture and symbol is not None and symbol <= frames and symbol != first + 1
    st.session_state[choice.key] = note(choice, symbol if fits else None)
    return (symbol - 1) if fits and symbol else first


def take_frame(page: str, picture: str) -> None:
    """Remember the symbol that was played to."""
    frame = st.session_state[picture].get("frame")
    st.session_state[f"{page}_at"] = frame + 1 if isinstance(frame, int) and 0 <= frame < MOST else None
