"""A place for the slider that is dragged: it stays in sight while what stands below it is looked at."""

import streamlit as st

from attention_ui.seams import Container


def sticky(page: str) -> Container:
    """A place that stays at the top of the screen for as long as the block that it is made in can be seen.

    So it is made in the block that holds the picture too; on a phone also in a column of a row in that block. The
    style is in frame/frame.css.
    """
    return st.container(key=f"sticky_{page}")
