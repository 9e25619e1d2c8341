"""The query under the lens: pinned by a click on the stage, kept in the link."""

import math

import streamlit as st
from torch import Tensor

from attention_ui.link.link import put_in_link


def pinned_row(page: str, queries: Tensor) -> int | None:
    """The row of the pinned query: from the last click, else from the link; None when nothing is pinned."""
    key = f"{page}_query"
    if key not in st.session_state:
        st.session_state[key] = _parsed(st.query_params.get(key))
    query = st.session_state[key]
    if query is None or not queries[0] - 1e-9 <= query <= queries[-1] + 1e-9:
        put_in_link(key, None)
        return None
    put_in_link(key, f"{query:.6g}")
    return int((queries - query).abs().argmin())


def take_click(page: str, queries: Tensor, stage: str = "stage") -> None:
    """Remember the query of the row that was clicked on the stage, or that it was let go."""
    row = st.session_state[f"{page}_{stage}"].get("query")
    valid = isinstance(row, int) and 0 <= row < len(queries)
    st.session_state[f"{page}_query"] = float(queries[row]) if valid else None


def _parsed(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None
