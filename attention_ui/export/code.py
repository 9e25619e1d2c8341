"""The code that made a picture, on its page, once it is asked for."""

from collections.abc import Callable

import streamlit as st


def code(page: str, snippet: Callable[[], str]) -> None:
    """The code that made the picture, written only once it is asked for: colouring it costs more than the rest."""
    opened = st.expander("The code that made this picture", key=f"{page}_code", on_change="rerun")
    if opened.open:
        opened.code(snippet(), language="python")
