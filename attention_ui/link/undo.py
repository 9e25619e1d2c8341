"""The tools Undo and Redo on every page: its last changes, taken back and made again."""

import streamlit as st

from attention_ui.link.choice import redo, register, undo
from attention_ui.seams import Container


def undo_tools(place: Container) -> None:
    """Draw both buttons, now that the page has been drawn and its link is written."""
    register().offered = register().offers
    with place.container(horizontal=True, gap="small", key="undo_tools"):
        for key, act, offered in zip(("undo", "redo"), (undo, redo), register().offers, strict=True):
            icon = f":material/{key}:"
            st.button(key.capitalize(), icon=icon, key=key, type="tertiary", disabled=not offered, on_click=act)
