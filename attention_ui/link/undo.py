"""The tools Undo and Redo on every page: its last changes, taken back and made again."""

import streamlit as st

from attention_ui.link.choice import redo, register, undo
from attention_ui.seams import Container


def undo_tools(place: Container) -> None:
    """Draw both buttons, now that the page has been drawn and its link is written.

    Undo is always enabled: a part of a page that runs alone makes changes too, and to draw what stands outside of it
    would take a run of the whole page.
    """
    with place.container(horizontal=True, gap="small", key="undo_tools"):
        for key, act, disabled in (("undo", undo, False), ("redo", redo, not register().future)):
            icon = f":material/{key}:"
            st.button(key.capitalize(), icon=icon, key=key, type="tertiary", disabled=disabled, on_click=act)
    if register().in_vain:
        register().in_vain = False
        st.toast("There is no change to take back or to make again.")
