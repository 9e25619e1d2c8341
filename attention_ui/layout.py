"""The frame around every page: less empty space on top, so that the picture fits the first screen."""

import streamlit as st

STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-top: 2.5rem; padding-bottom: 3rem; max-width: 1400px; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 2.5rem 1rem 3rem; } }
</style>"""


def apply() -> None:
    """Put the style of the frame on the page."""
    st.html(STYLE)
