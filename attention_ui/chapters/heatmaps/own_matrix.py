"""A user's own attention weights: uploaded or pasted, and never lost to a mistake."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import streamlit as st
from streamlit.typing import UploadedFile
from torch import Tensor

from attention_core.checks import InputError
from attention_core.demos.listening import listening
from attention_ui.export.ran import Ran
from attention_ui.export.writing import Call, Field
from attention_ui.reading.decoding import quoted
from attention_ui.reading.literal import literal
from attention_ui.reading.matrices import read_matrix, read_pasted_matrix, warnings_on


@dataclass(frozen=True, eq=False)  # tensors have no single truth value to compare by
class OwnMatrix:
    """Weights that somebody brought along, and where from."""

    weights: Tensor  # (rows, columns, Q, K)
    origin: str  # plain text that may be a file's name, so not Markdown

    @property
    def titles(self) -> list[str]:
        """What each matrix is called: by its place in the grid, counted from 0."""
        rows, columns = self.weights.shape[:2]
        if rows * columns == 1:
            return ["Your matrix"]
        return [
            f"{row}, {column}" if rows > 1 else f"Matrix {column}" for row in range(rows) for column in range(columns)
        ]

    @cached_property
    def ran(self) -> Ran:
        """What every row sums to, and how many keys it listens to, by the titles."""
        matrices = dict(zip(self.titles, self.weights.flatten(0, 1), strict=True))
        signed = {"signed": True} if self.weights.min() < 0 else {}
        return Ran(Call(listening, weights=matrices), "heatmaps", {"matrices": Field("weights"), **signed})


@dataclass(frozen=True, eq=False)
class Kept:
    """What one page remembers, under one key of st.session_state."""

    matrix: OwnMatrix | None = None  # the newest good one
    fault: str = ""  # of the newest input


def recall(page: str) -> Kept:
    """What this page remembers."""
    kept: Kept = st.session_state.get(f"{page}_kept", Kept())
    return kept


def own_matrix(page: str) -> OwnMatrix | None:
    """Draw the ways to bring weights, say what is wrong or odd with them, and return the newest good ones."""
    file, paste = st.tabs(["File", "Paste"])
    file.file_uploader(
        ".npy, .csv or .tsv file",
        key=f"{page}_upload",
        on_change=_read_upload,
        args=(page,),
        help="Queries down, keys across; a NumPy file may hold up to 64 matrices as (heads, queries, keys).",
    )
    paste.text_area(
        "Rows of weights",
        key=f"{page}_pasted",
        height=120,
        placeholder="0.7 0.2 0.1\n0.1 0.8 0.1\n0.2 0.2 0.6",
        on_change=_read_pasted,
        args=(page,),
        help="Blanks, commas, semicolons or tabs between, or what Python prints; a blank line begins the next matrix.",
        persist_state="session",
    )
    kept = recall(page)
    if kept.fault:
        st.error(literal(kept.fault))
    if kept.matrix is not None:
        st.caption(literal(_in_use(kept.matrix, bool(kept.fault))))
        for warning in warnings_on(kept.matrix.weights):
            st.warning(literal(warning))
    return kept.matrix


def _in_use(matrix: OwnMatrix, fault: bool) -> str:
    rows, columns, queries, keys = matrix.weights.shape
    count = "1 matrix" if rows * columns == 1 else f"{rows * columns} matrices"
    return f"{'Still in use' if fault else 'In use'}: {count} of {queries:,} × {keys:,}, {matrix.origin}."


def _read_upload(page: str) -> None:
    file = st.session_state[f"{page}_upload"]
    if isinstance(file, UploadedFile):
        _read(page, lambda: read_matrix(file.getvalue(), file.name), quoted(file.name))
    else:
        _keep(page, recall(page).matrix)  # taken back: what was good in it stays in use


def _read_pasted(page: str) -> None:
    text = st.session_state[f"{page}_pasted"]
    if text.strip():
        _read(page, lambda: read_pasted_matrix(text), "pasted")
    else:
        _keep(page, recall(page).matrix)


def _read(page: str, read: Callable[[], Tensor], origin: str) -> None:
    try:
        _keep(page, OwnMatrix(read(), origin))
    except InputError as fault:
        _keep(page, recall(page).matrix, str(fault))


def _keep(page: str, matrix: OwnMatrix | None, fault: str = "") -> None:
    st.session_state[f"{page}_kept"] = Kept(matrix, fault)
