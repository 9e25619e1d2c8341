"""Self-attention: every token asks all the others, and would not know their order without positions."""

import streamlit as st

from attention_ui.layout import open_page
from attention_ui.self_attention import cost, positions, tokens
from attention_ui.state.tab import open_tab

VIEWS = {"Tokens": tokens.show, "Positions": positions.show, "Cost": cost.show}

open_page(
    "Every token asks all the others",
    "Queries, keys and values all come from the same words. **Their order means nothing, until positions are added.**",
)


@st.fragment  # a choice in a view touches nothing outside, so only this much runs again
def show() -> None:
    """The open view alone: its picture, a question to try, and its code."""
    VIEWS[open_tab("sa", list(VIEWS))]("sa")


show()
