"""Which part of a page is open, below its main picture; only the open one computes and draws."""

from collections.abc import Mapping

from attention_ui.controls.widgets import segmented


def open_tab(page: str, tabs: Mapping[str, str]) -> str:
    """Draw the switch over tabs with these ids and labels, and return the id of the open one; it stands in the link.

    Not st.tabs: five of them cost as much browser time on every rerun as the whole rest of a page.
    """
    return segmented("Show", tabs, next(iter(tabs)), key=f"{page}_tab", label_visibility="collapsed")
