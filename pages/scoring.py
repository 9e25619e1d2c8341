"""The exponent of the kernel is a score: choose another one and you have another attention."""

from importlib import import_module

import streamlit as st

from attention_ui.chapters.scoring.export import exported
from attention_ui.controls.tab import open_tab
from attention_ui.export import offer
from attention_ui.frame.layout import open_page

VIEWS = {
    "Building blocks": "blocks",
    "Score explorer": "explorer",
    "Why √d?": "scaling",
    "The morph": "morph",
    "Masks": "masks",
    "Where it breaks": "analogy",
}

tools = open_page(
    "One equation, many scores",
    "The exponent of the kernel of 1964 is a **score**. Choose another one and you have another attention.",
)


@st.fragment  # a choice in a view touches nothing outside, so only this much runs again
def show() -> str:
    """The open view alone: its picture, a question to try, and its code."""
    view = VIEWS[open_tab("scoring", list(VIEWS))]
    import_module(f"attention_ui.chapters.scoring.{view}").show("scoring")
    return view


view = show()
offer(tools, lambda: exported("scoring", view))
