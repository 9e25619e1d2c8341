"""Which view of a page is open, or which part below its main picture; only the open one computes and draws."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import streamlit as st

from attention_ui.controls.widgets import segmented
from attention_ui.link.choice import fragment
from attention_ui.seams import Container

T = TypeVar("T")


def open_tab(page: str, tabs: Mapping[str, str]) -> str:
    """Draw the switch over tabs with these ids and labels, and return the id of the open one; it stands in the link.

    Not st.tabs: five of them cost as much browser time on every rerun as the whole rest of a page.
    """
    return segmented("Show", tabs, next(iter(tabs)), key=f"{page}_tab", label_visibility="collapsed")


@fragment
def open_view(page: str, tabs: Mapping[str, str], views: Mapping[str, Callable[[str], T]]) -> T:
    """Draw the switch and the open view, for a page on which a choice in a view touches nothing outside."""
    return views[open_tab(page, tabs)](page)


def below_picture(page: str) -> Container:
    """A place below the picture for tabs and what the open one shows, made in the block that holds the slider too.

    Once a tab is clicked, the picture yields to it (frame/frame.css) and the page is scrolled as far as both are in
    sight with the slider (showOpenTab in pictures/js/streamlit.js).
    """
    return st.container(key=f"below_{page}")
