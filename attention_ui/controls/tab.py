"""Which part of a page is open, below its main picture; only the open one computes and draws."""

from collections.abc import Sequence

import streamlit as st


def open_tab(page: str, tabs: Sequence[str]) -> str:
    """Draw the switch and return the name of the open tab, which stands in the link.

    Not st.tabs: five of them cost as much browser time on every rerun as the whole rest of a page.
    """
    tab = st.segmented_control(
        "Show",
        tabs,
        default=tabs[0],
        key=f"{page}_tab",
        bind="query-params",
        label_visibility="collapsed",
        required=True,
    )
    return tab or tabs[0]
