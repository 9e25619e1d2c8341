"""Whether the colours of a stage reach to the largest weight of the frame: switched on the stage, kept in the link."""

import streamlit as st

from attention_ui.component import told
from attention_ui.link.choice import Choice, kept, note
from attention_ui.link.values import switch_reader, written


def stretched(page: str) -> bool:
    """Whether the colours are stretched: by the last click, else by the link."""
    choice = Choice(f"{page}_stretch", False, switch_reader, written)
    return note(choice, kept(choice))


def take_stretch(page: str, stage: str = "stage") -> None:
    """Remember what the switch on the stage says."""
    st.session_state[f"{page}_stretch"] = told(f"{page}_{stage}", "stretch") == "on"
