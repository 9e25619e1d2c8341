"""A user's own attention weights: uploaded, pasted or a sample; after a bad input the last good ones stay."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import streamlit as st
from torch import Tensor

from attention_core.demos.alignment import alignment
from attention_core.demos.attending import attending
from attention_core.sequences.checkpoint import CHECKPOINTS
from attention_core.sequences.trained import held_by
from attention_ui.controls.upload import Reader, Words, hold_given, upload_or_paste
from attention_ui.export.computation import Computation
from attention_ui.export.writing import Call, Field
from attention_ui.link.choice import Choice, kept, note
from attention_ui.link.values import switch_reader, written
from attention_ui.reading.literal import literal
from attention_ui.reading.matrices import read_matrix, read_pasted_matrix, warnings_on
from attention_ui.room import ROOM, Place
from attention_ui.seams import session_of_run

SAMPLE = "31415926"
WORDS = Words(
    ".npy, .csv or .tsv file",
    "Queries down, keys across; a NumPy file may hold up to 64 matrices as (heads, queries, keys).",
    "Rows of weights",
    "Blanks, commas, semicolons or tabs between, or what Python prints; a blank line begins the next matrix.",
    "0.7 0.2 0.1\n0.1 0.8 0.1\n0.2 0.2 0.6",
)


@dataclass(frozen=True, eq=False)  # tensors have no single truth value to compare by
class OwnMatrix:
    """Weights that somebody brought along, and where from."""

    weights: Tensor  # (rows, columns, Q, K)
    origin: str  # plain text that may be a file's name, so not Markdown
    place: Place | None = None  # what they take in the process

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
    def computation(self) -> Computation:
        """What each row sums to, and its effective number of keys, by the titles."""
        matrices = dict(zip(self.titles, self.weights.flatten(0, 1), strict=True))
        return Computation(Call(attending, weights=matrices), "heatmaps", {"matrices": Field("weights")})


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
    reader = Reader(
        read_matrix,
        read_pasted_matrix,
        take=lambda weights, origin: _keep(page, OwnMatrix(weights, origin, _place(page, weights))),
        refuse=lambda fault: _keep(page, recall(page).matrix, fault),  # the last good one stays in use
    )
    upload_or_paste(page, WORDS, reader)
    choice = Choice(f"{page}_sample", False, switch_reader, written)
    if kept(choice) and recall(page).matrix is None:
        load_sample(page)
    used = recall(page)
    note(choice, used.matrix is sample())
    hold_given(page, used.matrix is not sample(), used.matrix is not None)
    if used.fault:
        st.error(literal(used.fault))
    if used.matrix is not None:
        st.caption(literal(_in_use(used.matrix, bool(used.fault))))
        for warning in warnings_on(used.matrix.weights):
            st.warning(literal(warning))
    return used.matrix


def _place(page: str, weights: Tensor) -> Place:
    before = recall(page).matrix
    return ROOM.take(session_of_run(), weights.nbytes, before.place if before else None)


def load_sample(page: str) -> None:
    """Use the sample, as if a visitor had brought it."""
    _keep(page, sample())


@lru_cache(1)
def sample() -> OwnMatrix:
    """How a trained decoder attends to eight digits while it writes them in reverse, and then the end."""
    weights = alignment(held_by("reverse", SAMPLE), CHECKPOINTS["reverse"].task.target.symbols)["weights"]
    return OwnMatrix(weights.double()[None, None], f"a decoder that reverses {SAMPLE}")


def _in_use(matrix: OwnMatrix, fault: bool) -> str:
    rows, columns, queries, keys = matrix.weights.shape
    count = "1 matrix" if rows * columns == 1 else f"{rows * columns} matrices"
    return f"{'Still in use' if fault else 'In use'}: {count} of {queries:,} × {keys:,}, {matrix.origin}."


def _keep(page: str, matrix: OwnMatrix | None, fault: str = "") -> None:
    st.session_state[f"{page}_kept"] = Kept(matrix, fault)
