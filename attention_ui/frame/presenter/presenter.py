"""The bar of the presenter: chapters, controls, spotlight, pen, code, full screen, and the way back."""

from pathlib import Path

import streamlit as st

from attention_ui.component import component
from attention_ui.contents import CHAPTERS, HOME
from attention_ui.link.dialog import code_tool
from attention_ui.link.lesson import carried, leave_button
from attention_ui.seams import styled

HERE = Path(__file__).parent

BAR = component("presenter", HERE / "js" / "presenter.js", HERE / "bar.css", tool=True)


def presenter_style() -> str:
    """The style of a page on a projector."""
    return styled((HERE / "presenter.css").read_text("utf-8"))


def show_bar(title: str) -> None:
    """Put the bar over the page of this title, and what its buttons press into a place that is not shown."""
    chapters = (HOME, *CHAPTERS)
    with st.container(key="presenter"):
        for chapter in chapters:
            st.page_link(chapter.file, label=chapter.title, query_params=carried())
        leave_button()
        code_tool()
        BAR(key="presenter_bar", data={"title": title, "chapters": {each.name: each.title for each in chapters}})
