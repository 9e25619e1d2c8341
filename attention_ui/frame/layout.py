"""The frame around every page: its style, and how it opens."""

from pathlib import Path

import streamlit as st

from attention_ui.contents import chapter_of, following, part_number
from attention_ui.frame.contrast import contrast_style
from attention_ui.frame.keyboard.keys import listen
from attention_ui.frame.presenter.presenter import presenter_style, show_bar
from attention_ui.link.dialog import share_tool
from attention_ui.link.ignored import arrive, ignored_words
from attention_ui.link.lesson import carried, lesson_style, presenting
from attention_ui.link.undo import undo_tools
from attention_ui.seams import Container, leave_pages_to_app, open_section_style, styled
from attention_ui.shown import begin

STYLE = Path(__file__).with_name("frame.css").read_text("utf-8")
# Places that are filled when the page has been drawn: for what was ignored in the link, and for Undo.
IGNORED, UNDO = "frame_remark", "frame_undo"


def apply(name: str) -> None:
    """Put the style of the frame on the page of this name, and take down the link that it was opened with."""
    chapter = chapter_of(name)
    arrive(chapter)
    large, place = presenter_style() if presenting() else "", part_number(name)
    section = "" if place is None else open_section_style(place)
    st.html(f"<style>{styled(STYLE)}{large}{lesson_style(chapter.key_prefix)}{contrast_style()}{section}</style>")


def close_page(name: str) -> None:
    """End a page with the way to the next chapter, now that all of its controls are known."""
    if chapter := following(name):
        label = f"Next: **{chapter.title}**. {chapter.claim}"
        st.page_link(chapter.file, label=label, icon="➡️", query_params=carried() or None)
    if ignored := ignored_words():
        st.session_state[IGNORED].warning(ignored)


def offer_undo() -> None:
    """Offer to take the last change back, now that the link of the page is written."""
    undo_tools(st.session_state[UNDO])


def open_page(title: str, claim: str) -> Container:
    """Begin a page with its claim; returns the place for its tools, at the right of the title."""
    leave_pages_to_app()
    begin(title, claim)
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.title(title, anchor=False)
        tools = st.container(horizontal=True, width="content", key="tools")
    st.session_state[UNDO] = tools.empty()
    with tools:
        share_tool()
    if presenting():
        show_bar(title)
    with st.container(gap=None, key="claim"):  # in one: the warning then moves nothing
        st.markdown(claim)
        st.session_state[IGNORED] = st.empty()
    listen(tools)
    return tools
