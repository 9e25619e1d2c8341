"""A link to a page, put right before any widget reads it."""

import math
from contextlib import suppress
from typing import Literal

import streamlit as st
from streamlit.errors import StreamlitAPIException

from attention_ui.controls.dataset import LABELS

# What pages keep by put_in_link: a link may hold it also while the part of the page that reads it is closed.
KEPT_NAMES = frozenset(
    (
        *("width", "head1_width", "head2_width", "head3_width", "head4_width", "query", "epoch", "temperature", "seed"),
        *("order", "block", "q", "k", "v", "points", "at", "answers", "tries"),
    )
)


def mend_link(page: str) -> None:
    """Mend what Streamlit would stumble over, and run again, since it reads a link only when a run begins."""
    function, seed = f"{page}_function", f"{page}_seed"
    name, endless = st.query_params.get(function, ""), _is_infinite(seed)
    if name not in LABELS and not endless:
        return
    with suppress(StreamlitAPIException):  # widgets hold on to it: the visitor came back to it by the browser's arrow
        if endless:
            del st.query_params[seed]
        if name in LABELS:
            st.query_params[function] = LABELS[name]  # a link names an option by its label, a reader by its short name
        st.rerun()


def binding(key: str) -> Literal["query-params"] | None:
    """Bind a whole number to the link, but not to infinity, where st.number_input raises OverflowError."""
    return None if _is_infinite(key) else "query-params"


def _is_infinite(key: str) -> bool:
    try:
        return math.isinf(float(st.query_params.get(key, "")))  # 1e999 and 400 digits are infinite too
    except ValueError:
        return False


def put_in_link(key: str, value: str | None, usual: str | None = None) -> None:
    """Keep a value in the link, or none, where `usual` tells what is in use then.

    An unchanged one is left alone, since even that message costs a few ms.
    """
    kept_in_link()[key] = usual if value is None else value
    if st.query_params.get(key) == value:
        return
    if value is None:
        del st.query_params[key]
    else:
        st.query_params[key] = value


def kept_in_link() -> dict[str, str | None]:
    """What this page has put into the link, or would have if it were not the usual; None for what it refused."""
    kept: dict[str, str | None] = st.session_state.setdefault("link_kept", {})
    return kept
