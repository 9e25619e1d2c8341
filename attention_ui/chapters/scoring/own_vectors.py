"""A user's own queries, keys and values: small tables to type into; the last good ones stay in the link."""

import math
import re
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from attention_core.checks import InputError
from attention_ui.link.choice import note_text, text_in_link

Matrix = tuple[tuple[float, ...], ...]

LARGEST, MOST = 1000, 8  # of a number, and rows or columns
LONGEST = 2000  # characters of one matrix in a link
LINE, BORDERS = 35, 2  # px of a table: each row and the names above them, and all that is around
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
SIZES = {
    "queries": "Queries",
    "keys": "Keys, with a value each",
    "width": "Width of Q and K",
    "value_width": "Width of V",
}


@dataclass(frozen=True)
class Vectors:
    """Queries, keys and values, a row for each; as many values as keys, and queries as wide as keys."""

    q: Matrix = ((2.0, 0.0), (0.0, 2.0), (1.0, 1.0))
    k: Matrix = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (-1.0, 0.0))
    v: Matrix = ((10.0, 0.0), (0.0, 10.0), (6.0, 6.0), (-4.0, 2.0))

    @property
    def fits(self) -> bool:
        """Whether the three go together."""
        return len(self.k) == len(self.v) and len(self.q[0]) == len(self.k[0])

    @property
    def sizes(self) -> dict[str, int]:
        """How many there are, and how wide."""
        sizes = len(self.q), len(self.k), len(self.q[0]), len(self.v[0])
        return dict(zip(SIZES, sizes, strict=True))

    def tensors(self) -> tuple[Tensor, Tensor, Tensor]:
        """Queries (Q, D), keys (K, D) and values (K, V) in float64."""
        queries, keys, values = (torch.tensor(matrix, dtype=torch.float64) for matrix in (self.q, self.k, self.v))
        return queries, keys, values

    def resized(self, queries: int, keys: int, width: int, value_width: int) -> "Vectors":
        """Cut to these sizes; what is new is 0."""
        return Vectors(_cut(self.q, queries, width), _cut(self.k, keys, width), _cut(self.v, keys, value_width))


def _cut(matrix: Matrix, rows: int, columns: int) -> Matrix:
    old = dict(enumerate(dict(enumerate(row)) for row in matrix))
    return tuple(tuple(old.get(row, {}).get(column, 0.0) for column in range(columns)) for row in range(rows))


# In the link.


def written(matrix: Matrix) -> str:
    """A matrix as a link has it: 1,0;0,1 with a semicolon between rows."""
    return ";".join(",".join(f"{number:.15g}" for number in row) for row in matrix)


def parsed(text: str) -> Matrix | None:
    """The matrix that a link asks for, or None when that is none we can show."""
    if not text or len(text) > LONGEST:
        return None
    rows = [[cell.strip() for cell in row.split(",")] for row in text.split(";")]
    even = len(rows) <= MOST and {len(row) for row in rows} <= set(range(1, MOST + 1)) and len({*map(len, rows)}) == 1
    if not even or not all(NUMBER.fullmatch(cell) for row in rows for cell in row):
        return None
    matrix = tuple(tuple(float(cell) for cell in row) for row in rows)
    return matrix if all(abs(number) <= LARGEST for row in matrix for number in row) else None


def from_link(page: str) -> Vectors:
    """What the link says; a bad matrix gives way to the usual one, and so do all when they do not go together."""
    usual = Vectors()
    asked = {name: parsed(text_in_link(f"{page}_{name}")) or getattr(usual, name) for name in "qkv"}
    vectors = Vectors(**asked)
    return vectors if vectors.fits else usual


# What the page remembers.


@dataclass(frozen=True)
class Kept:
    """What the tables began with, what is in use now, and how often they were begun anew."""

    begun: Vectors
    current: Vectors
    openings: int = 0

    def editor(self, page: str, name: str) -> str:
        """The key of a table; a used one would bring old edits back."""
        return f"{page}_table_{name}_{self.openings}"


def own_vectors(page: str) -> Vectors:
    """The matrices in use, which stand in the link unless they are the usual ones."""
    key = f"{page}_vectors"
    if key not in st.session_state:
        begun = from_link(page)
        st.session_state[key] = Kept(begun, begun)
    current: Vectors = st.session_state[key].current
    for name in "qkv":
        text, usual = (written(getattr(vectors, name)) for vectors in (current, Vectors()))
        note_text(f"{page}_{name}", text, usual, _as_written, lambda _: _begin(page, from_link(page)))
    return current


def _as_written(text: str) -> str | None:
    matrix = parsed(text)
    return None if matrix is None else written(matrix)


def edit_tables(page: str) -> None:
    """Draw the sizes, the three tables and a reset; a good change is in use at once."""
    kept: Kept = st.session_state[f"{page}_vectors"]
    if kept.editor(page, "q") not in st.session_state:  # they were not on the screen: begin with what is in use
        kept = replace(kept, begun=kept.current)
        st.session_state[f"{page}_vectors"] = kept
    _size_controls(page, kept.current)
    columns, tables = st.columns(3), {}
    for column, (name, title) in zip(columns, {"q": "Queries Q", "k": "Keys K", "v": "Values V"}.items(), strict=True):
        column.markdown(f"**{title}**")
        with column:
            tables[name] = _table(getattr(kept.begun, name), kept.editor(page, name), name)
    st.button("Reset", key=f"{page}_reset", on_click=_begin, args=(page, Vectors()))
    try:
        edited = Vectors(**{name: read(name.upper(), table) for name, table in tables.items()})
    except InputError as fault:
        st.error(f"{fault} The picture shows the last good numbers.")
        return
    st.session_state[f"{page}_vectors"] = replace(kept, current=edited)


def _size_controls(page: str, current: Vectors) -> None:
    with st.container(horizontal=True, gap="medium"):
        for name, label in SIZES.items():
            st.session_state[f"{page}_size_{name}"] = current.sizes[name]
            st.slider(label, 1, MOST, key=f"{page}_size_{name}", on_change=_resize, args=(page,), width=190)


def _resize(page: str) -> None:
    sizes = {name: st.session_state[f"{page}_size_{name}"] for name in SIZES}
    _begin(page, st.session_state[f"{page}_vectors"].current.resized(**sizes))


def _begin(page: str, vectors: Vectors) -> None:
    """Begin the tables anew with these."""
    st.session_state[f"{page}_vectors"] = Kept(vectors, vectors, st.session_state[f"{page}_vectors"].openings + 1)


def _table(matrix: Matrix, key: str, name: str) -> pd.DataFrame:
    index = [f"{name}{row}" for row in range(len(matrix))]
    rows = pd.DataFrame(matrix, index=index, columns=[str(column) for column in range(len(matrix[0]))])
    # Without a range: the table would change a number beyond it without a word.
    columns: dict[str, Any] = {name: st.column_config.NumberColumn(format="%.6g") for name in rows.columns}
    columns["_index"] = st.column_config.Column(disabled=True)
    # With its height: else what stands below moves when the table is drawn, away from under a click on Reset.
    height = (1 + len(matrix)) * LINE + BORDERS
    edited: pd.DataFrame = st.data_editor(rows, key=key, column_config=columns, height=height)
    return edited


def read(name: str, table: pd.DataFrame) -> Matrix:
    """The cells of a table, or one sentence that names the first bad one."""
    rows = enumerate(table.to_numpy(dtype=object).tolist())
    return tuple(tuple(_number(f"{name}[{i}, {j}]", cell) for j, cell in enumerate(row)) for i, row in rows)


def _number(place: str, cell: Any) -> float:
    wanted = f"must be a number from -{LARGEST:,} to {LARGEST:,}"
    try:
        number = math.nan if cell is None or isinstance(cell, bool) else float(cell)
    except (TypeError, ValueError):
        raise InputError(f"{place} {wanted}, not text.") from None
    if math.isnan(number):
        raise InputError(f"{place} {wanted}, but it is empty.")
    if abs(number) > LARGEST:
        raise InputError(f"{place} {wanted}, not {number:g}.")
    return number
