"""A plotly chart on a page: no tool bar over the picture, and words for those who cannot see it."""

import plotly.graph_objects as go
import streamlit as st

HEIGHT = 380


def chart(figure: go.Figure, key: str, alt: str, height: int = HEIGHT) -> None:
    """Show a figure in the current container."""
    st.plotly_chart(figure, height=height, key=key, alt=alt, config={"displayModeBar": False})
