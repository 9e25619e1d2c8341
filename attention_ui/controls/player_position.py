"""The frame at which a player came to rest, kept in the link."""

from collections.abc import Hashable, Sequence

import streamlit as st

from attention_ui.component import told
from attention_ui.link.choice import Choice, kept, note
from attention_ui.link.values import number_reader, written

LARGEST_MARK = 1_000_000


def played_to(key: str, played: Hashable, marks: Sequence[int], first: int = 0) -> int:
    """The frame that the player rests at; the link holds its mark. Whatever is played anew begins at `first`."""
    choice = Choice(key, marks[first], number_reader(0, LARGEST_MARK), written)
    before = st.session_state.get(f"{key}_film", played)
    st.session_state[f"{key}_film"] = played
    if key in st.session_state and before != played:
        st.session_state[key] = choice.usual
    asked = kept(choice)
    frame = min(range(len(marks)), key=lambda frame: abs(marks[frame] - asked))
    note(choice, marks[frame])
    return frame


def take_frame(key: str, player: str, marks: Sequence[int]) -> None:
    """Remember the frame that the player of this key was played or scrubbed to; a callback of its frame."""
    frame = told(player, "frame")
    if isinstance(frame, int) and 0 <= frame < len(marks):
        st.session_state[key] = marks[frame]
