"""The pinned query: chosen by a click on the stage, kept in the link."""

import math

import streamlit as st
from torch import Tensor

from attention_ui.component import told
from attention_ui.link.choice import Choice, kept, note
from attention_ui.link.values import as_number


def pinned_row(page: str, queries: Tensor) -> int | None:
    """The row of the pinned query: from the last click, else from the link; None when nothing is pinned."""
    choice = Choice[float | None](f"{page}_query", None, _parsed, _written)
    query = kept(choice)
    if query is None or not queries[0] - 1e-9 <= query <= queries[-1] + 1e-9:
        note(choice, None)
        return None
    note(choice, query)
    return int((queries - query).abs().argmin())


def take_click(page: str, queries: Tensor, stage: str = "stage") -> None:
    """Remember the query of the row that was clicked on the stage, or that it was let go."""
    row = told(f"{page}_{stage}", "query")
    valid = isinstance(row, int) and 0 <= row < len(queries)
    st.session_state[f"{page}_query"] = float(queries[row]) if valid else None


def _parsed(text: str) -> float | None:
    number = as_number(text)
    return number if number is not None and math.isfinite(number) else None


def _written(query: float | None) -> str:
    return "" if query is None else f"{query:.6g}"
