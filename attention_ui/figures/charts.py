"""A chart or code on a page: no tool bar over the picture, words for those who cannot see it, code once asked for."""

from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st

HEIGHT = 380


def chart(figure: go.Figure, key: str, alt: str, height: int = HEIGHT) -> None:
    """Show a figure in the current container."""
    st.plotly_chart(figure, height=height, key=key, alt=alt, config={"displayModeBar": False})


def code(page: str, snippet: Callable[[], str]) -> None:
    """The code that made the picture, written only once it is asked for: colouring it costs more than the rest."""
    opened = st.expander("The code that made this picture", key=f"{page}_code", on_change="rerun")
    if opened.open:
        opened.code(snippet(), language="python")
