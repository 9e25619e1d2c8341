"""A user's own points: uploaded, pasted, edited or added, and never lost to a mistake."""

from contextlib import suppress
from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st

from attention_core.checks import InputError
from attention_core.data import Samples
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.upload import Reader, Words, upload_or_paste
from attention_ui.link.choice import MOST_UNDONE, note_text
from attention_ui.link.lesson import locked_names
from attention_ui.link.points import MOST_LINKED, packed_points, unpacked_points
from attention_ui.reading.decoding import quoted
from attention_ui.reading.literal import literal
from attention_ui.reading.tables import choose, numeric_columns, read_pasted, read_table

MOST_EDITED = 500  # rows: more is slow to send and no pleasure to scroll
WORDS = Words(
    "CSV or TSV file",
    "One row per point, with or without a header.",
    "Two columns",
    "Separated by tabs, commas, semicolons or blanks.",
    "1  2.5\n2  3.1\n3  2.8",
)


@dataclass(frozen=True, eq=False)
class Kept:
    """What one page remembers of its data, under one key of st.session_state."""

    current: Dataset = field(default_factory=Dataset)  # in use when the controls were last drawn
    read: Dataset | None = None  # from a file, pasted, or brought by a link
    link: str = ""  # the text of the points that a link brought
    edited: Dataset | None = None  # goes before what was read
    before: Dataset = field(default_factory=Dataset)  # the edits; Reset returns to it
    next_selected: Dataset | None = None  # to be selected before the widgets are drawn again
    table: pd.DataFrame | None = None  # the columns to choose from
    table_origin: str = ""
    fault: str = ""  # of the newest input
    openings: int = 0  # of the editor


def recall(page: str) -> Kept:
    """What this page remembers."""
    kept: Kept = st.session_state.get(f"{page}_kept", Kept())
    return kept


def keep(page: str, **changes: object) -> None:
    """Remember these changes for this page."""
    st.session_state[f"{page}_kept"] = replace(recall(page), **changes)  # type: ignore[arg-type]


# Read a file or pasted text.


def own_data(page: str) -> Dataset:
    """Draw the ways to bring data, and return the newest good one; before there is any, what was shown last."""
    _read_link(page)
    reader = Reader(
        read_table,
        read_pasted,
        take=lambda table, origin: _take(page, table, origin),
        refuse=lambda fault: keep(page, fault=fault),  # what was good before stays in use
    )
    upload_or_paste(page, WORDS, reader)
    kept = recall(page)
    if kept.table is not None and (kept.fault or kept.edited is None):
        _columns(page, kept.table)
    if kept.fault:
        st.error(literal(kept.fault))
    st.caption(literal(_in_use(kept)))
    if (own := kept.edited or kept.read) and own.n > MOST_LINKED:
        st.caption(f"More than {MOST_LINKED} points are too many for a link: share the data as CSV, from Download.")
    return kept.edited or kept.read or kept.current


def _columns(page: str, table: pd.DataFrame) -> None:
    for axis in "xy":
        st.selectbox(
            axis,
            numeric_columns(table),
            key=f"{page}_{axis}_column",
            on_change=_choose,
            args=(page,),
            persist_state="session",
        )


def _in_use(kept: Kept) -> str:
    own = kept.edited or kept.read
    if own is None:
        return f"No points of your own yet: you see {kept.current.title}."
    return f"{'Still in use' if kept.fault else 'In use'}: {own.n:,} points, {own.title}."


def _take(page: str, table: pd.DataFrame, origin: str) -> None:
    """Keep a table, with its first two columns of numbers chosen."""
    for axis, name in zip("xy", numeric_columns(table), strict=False):
        st.session_state[f"{page}_{axis}_column"] = name
    keep(page, table=table, table_origin=origin)
    _choose(page)


def _choose(page: str) -> None:
    """Turn the two chosen columns into points, or say why not."""
    kept, x, y = recall(page), *(st.session_state[f"{page}_{axis}_column"] for axis in "xy")
    if kept.table is None:
        return
    try:
        samples = choose(kept.table, x, y)
    except InputError as fault:
        keep(page, fault=str(fault))
    else:
        read = Dataset.own(samples, quoted(x)[1:-1], quoted(y)[1:-1], kept.table_origin)
        keep(page, read=read, link="", edited=None, fault="")


# Points in the link.


def _read_link(page: str) -> None:
    """Take the points that a link brings along, where there are none yet."""
    text, kept = st.query_params.get(f"{page}_points"), recall(page)
    if not text or kept.read or kept.edited:
        return
    with suppress(InputError):  # what cannot be read is named above with all that was ignored in the link
        samples, x_label, y_label, curve = unpacked_points(text)
        keep(page, read=Dataset.own(samples, x_label, y_label, "from a link", curve), link=text)


def keep_points(page: str, dataset: Dataset) -> None:
    """Let own points travel in the link while they are few, and no others."""
    own, kept = dataset.packed, recall(page)
    brought = kept.link if dataset is kept.read else ""  # as it was: another zlib may write the same points otherwise
    text = packed_points(own, dataset.x_label, dataset.y_label, dataset.curve) if own else None
    linked = brought or text or ""
    known: dict[str, Kept] = st.session_state.setdefault(f"{page}_known", {})
    known[linked] = kept
    for oldest in list(known)[: -MOST_UNDONE - 1]:
        del known[oldest]

    def restore(text: str) -> None:
        older = known.get(text, Kept())
        names = ("current", "read", "link", "edited", "before")
        keep(page, fault="", **{name: getattr(older, name) for name in names})

    note_text(f"{page}_points", linked, restore=restore)


# Edit and add points.


def edit_controls(page: str, dataset: Dataset) -> None:
    """Draw what opens the editor, and what takes its changes back."""
    with st.container(horizontal=True):
        if len(dataset.samples().x) > MOST_EDITED:
            st.caption(f"More than {MOST_EDITED} points are too many to edit here.")
        elif st.button("Edit points", key=f"{page}_edit"):
            keep(page, openings=recall(page).openings + 1)
            _edit(page, dataset, f"{page}_editor_{recall(page).openings}")  # a used key would bring old edits back
        if dataset is recall(page).edited:
            st.button("Reset", key=f"{page}_reset", on_click=reset_points, args=(page,), help="Undo all edits.")


@st.dialog("Edit points")
def _edit(page: str, dataset: Dataset, key: str) -> None:
    st.caption("Change cells, add rows below, mark rows to delete.")
    rows = st.data_editor(_rows(dataset), num_rows="dynamic", hide_index=False, key=key)
    # Not a form: the editor sends its last cell a moment late, and a form would not wait for it.
    if st.button("Apply", type="primary", key=f"{page}_apply"):
        try:
            samples = _points(rows)
        except InputError as fault:
            st.error(literal(str(fault)))
        else:
            _use(page, dataset, dataset.edited(samples))
            st.rerun()


def _rows(dataset: Dataset) -> pd.DataFrame:
    names = [dataset.x_label, dataset.y_label]
    distinct = names if len(set(names)) == 2 else ["x", "y"]
    return pd.DataFrame(dataset.points, columns=distinct, index=range(1, len(dataset.points) + 1))


def _points(rows: pd.DataFrame) -> Samples:
    """The rows of the editor as points, or one sentence that names the row by the number shown beside it."""
    return choose(rows.astype("float64"), *rows.columns)  # a column of blanks alone is none of numbers yet


def offers_for(page: str, dataset: Dataset) -> tuple[str, ...]:
    """What a stage may do with these points: nothing where a lesson hides the data or their editor."""
    if {"function", "edit"} & set(locked_names()):
        return ()
    few, edited = len(dataset.samples().x) < MOST_EDITED, dataset is recall(page).edited
    return (*(["reset"] if edited else []), *(["add"] if few else []))


def add_point(page: str, x: float, y: float) -> None:
    """Add one point to the data of this page, which makes them own data from the next run on."""
    current = recall(page).current
    _use(page, current, current.with_point(x, y))


def take_point(page: str, stage: str = "stage") -> None:
    """Add the point that was clicked on the stage."""
    clicked, current = st.session_state[f"{page}_{stage}"].get("point"), recall(page).current
    # A stage sends two numbers inside its picture; what sends anything else is none.
    with suppress(InputError, TypeError, ValueError):
        x, y = map(float, clicked)
        if isinstance(clicked, list) and "add" in offers_for(page, current) and current.low <= x <= current.high:
            add_point(page, x, y)


def _use(page: str, before: Dataset, after: Dataset) -> None:
    kept = recall(page)
    if kept.edited is not None and before is not kept.edited:  # edits of other data are not lost: they are one's own
        keep(page, read=kept.edited, link="")
    first = before is not kept.edited
    keep(page, edited=after, current=after, next_selected=after, before=before if first else kept.before)


def reset_points(page: str) -> None:
    """Undo all edits."""
    before = recall(page).before
    keep(page, edited=None, current=before, next_selected=before)


def select_next(page: str) -> None:
    """Set the widgets to what was decided after they had been drawn; Streamlit allows that only before."""
    kept = recall(page)
    if kept.next_selected is None:
        return
    st.session_state[f"{page}_function"] = kept.next_selected.name
    if kept.next_selected.has_truth:
        for choice in ("n", "noise", "seed"):
            st.session_state[f"{page}_{choice}"] = getattr(kept.next_selected, choice)
    keep(page, next_selected=None)
