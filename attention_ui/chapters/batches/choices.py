"""The choices of the batches page: how many matrices of which size, and which number of the product is explained."""

from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from attention_core.demos.batching import LARGEST
from attention_ui.component import told
from attention_ui.controls.widgets import slider, toggle

Shape = tuple[int, int, int]


@dataclass(frozen=True)
class Sizes:
    """n matrices of a x b times n of b x c; with a mismatch the second ones have another number of rows."""

    n: int = 3
    a: int = 2
    b: int = 4
    c: int = 3
    mismatch: bool = False

    @property
    def second_b(self) -> int:
        """Rows of the second matrices."""
        return self.b if not self.mismatch else self.b + 1 if self.b < LARGEST else self.b - 1

    @property
    def shapes(self) -> tuple[Shape, Shape, Shape]:
        """Of the first batch, the second, and their product."""
        return (self.n, self.a, self.b), (self.n, self.second_b, self.c), (self.n, self.a, self.c)


class Chosen(NamedTuple):
    """What stands above the tabs: the sizes, and the number of the product that is explained."""

    page: str  # the prefix of its keys
    sizes: Sizes
    place: Shape


SIZES = {
    "n": "n: matrices in the batch",
    "a": "a: rows of the first",
    "b": "b: columns of the first, rows of the second",
    "c": "c: columns of the second",
}
# Side by side on a phone too, unlike columns.
STYLE = "<style>.st-key-batches_place > * { flex: 1 1 0; min-width: 0; }</style>"
STARTS = {"batch": 0, "row": 1, "column": 1}  # where the row and the column begin


def size_controls(page: str) -> Sizes:
    """Draw a slider for every size, and the switch that makes them disagree; all stand in the link."""
    usual = Sizes()
    sizes = {
        name: slider(label, 1, LARGEST, getattr(usual, name), key=f"{page}_{name}") for name, label in SIZES.items()
    }
    mismatch = toggle(
        "Make the inner sizes differ",
        key=f"{page}_mismatch",
        help="Give the second matrices another number of rows, and see what torch says.",
    )
    return Sizes(**sizes, mismatch=mismatch)


def place_controls(page: str, sizes: Sizes) -> tuple[int, int, int]:
    """Draw the choice of one number of the product: its matrix, row and column, counted from 0 as torch does."""
    counts = {"batch": sizes.n, "row": sizes.a, "column": sizes.c}
    chosen = []
    st.html(STYLE)
    with st.container(horizontal=True, gap="medium", key=f"{page}_place"):
        for name, count in counts.items():
            chosen.append(_place(f"{page}_{name}", name.capitalize(), count, STARTS[name]))
    batch, row, column = chosen
    return batch, row, column


def _place(key: str, label: str, count: int, start: int) -> int:
    """A slider over so many places; a place that is no longer there gives way to the last."""
    if count == 1:  # a slider needs two ends
        st.slider(label, 0, 1, 0, key=f"{key}_only", disabled=True)
        return 0
    if st.session_state.get(key, 0) >= count:
        st.session_state[key] = count - 1
    return slider(label, 0, count - 1, start, key=key)


def take_pick(page: str, component: str) -> None:
    """Set the sliders to the number of the product that was clicked."""
    picked = told(component, "pick")
    if isinstance(picked, list) and len(picked) == 2 and all(isinstance(place, int) for place in picked):
        for name, place in zip(("row", "column"), picked, strict=True):
            if 0 <= place < LARGEST and f"{page}_{name}" in st.session_state:
                st.session_state[f"{page}_{name}"] = place
