"""The frame around every page: its style, and how it opens."""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from attention_ui.chapters import following

STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding: 3.4rem 2.5rem 3rem; max-width: 1500px; }
[data-testid="stMainBlockContainer"] h1 { padding: 0 0 0.25rem; font-size: 2.1rem; }
/* The room a stage will need, so that nothing below it jumps when it appears. */
[class*="_stage"]:not([class*="cue_"]) { min-height: 27rem; }
/* Messengers have nothing to show, so they must not take a gap either. */
[class*="st-key-cue_"] { display: none; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding-left: 1rem; padding-right: 1rem; } }
</style>"""


def apply() -> None:
    """Put the style of the frame on the page."""
    st.html(STYLE)


def close_page(name: str) -> None:
    """End a page with the way to the next chapter."""
    if chapter := following(name):
        st.page_link(chapter.file, label=f"Next: **{chapter.title}**. {chapter.claim}", icon="➡️")


def open_page(title: str, claim: str) -> None:
    """Begin a page with its claim."""
    # Until st.navigation has run once in this process, a deep link makes Streamlit run the page's file alone,
    # without app.py around it.
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
    st.title(title, anchor=False)
    st.markdown(claim)
