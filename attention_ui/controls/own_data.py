"""A user's own points, uploaded, pasted or brought by a link; after a bad input the last good points stay."""

import pandas as pd
import streamlit as st

from attention_core.checks import InputError
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.editing import TOO_MANY
from attention_ui.controls.remembered_data import keep, points_in_link, recall
from attention_ui.controls.upload import Reader, Words, hold_given, upload_or_paste
from attention_ui.link.choice import note_text, text_in_link
from attention_ui.link.held import asked_name
from attention_ui.link.points import MOST_HELD, MOST_LINKED
from attention_ui.link.values import list_reader, number_reader, written_list
from attention_ui.reading.decoding import quoted
from attention_ui.reading.literal import literal
from attention_ui.reading.tables import MOST_COLUMNS, choose, numeric_columns, read_pasted, read_table
from attention_ui.room import ROOM
from attention_ui.seams import session_of_run

WORDS = Words(
    "CSV or TSV file",
    "One row per point, with or without a header.",
    "Two columns",
    "Separated by tabs, commas, semicolons or blanks.",
    "1  2.5\n2  3.1\n3  2.8",
)
BYTES = 2 * 2 * 8  # of a point: two numbers, as they are and as the key of what is computed from them
FIRST = [0, 1]  # columns of numbers, by their places among these
PLACES = list_reader(*[number_reader(0, MOST_COLUMNS - 1)] * 2)
ELSEWHERE = "The points of this link exist only in the browser that loaded them. You see"


def own_data(page: str) -> Dataset:
    """Draw the ways to bring data, and return the newest good one; before there is any, what was shown last."""
    if found := points_in_link(page):
        text, (samples, x_label, y_label, curve) = found
        read = Dataset.own(samples, x_label, y_label, "from a link", curve)
        keep(page, read=read, brought=(text, read))
    reader = Reader(
        read_table,
        read_pasted,
        take=lambda table, origin: _take(page, table, origin),
        refuse=lambda fault: _refuse(page, fault),
    )
    upload_or_paste(page, WORDS, reader)
    kept = recall(page)
    many = kept.read is not None and kept.read.n > MOST_HELD
    hold_given(page, many, kept.read is not None)
    if kept.table is not None:
        _columns(page, kept.table)
    if kept.read or not asked_name(f"{page}_file"):
        _note_columns(page, kept.table if many else None)
    if kept.fault:
        st.error(literal(kept.fault))
    return kept.read or kept.base


def say_what_is_in_use(page: str, dataset: Dataset) -> None:
    """Name the points in use below the ways to bring them."""
    kept = recall(page)
    if kept.read is None:
        held = any(asked_name(f"{page}_{name}") for name in ("held", "file"))
        st.caption(literal(f"{ELSEWHERE if held else 'No points of your own yet. You see'} {dataset.title}."))
        return
    st.caption(literal(f"{'Still in use' if kept.fault else 'In use'}: {dataset.n:,} points, {dataset.title}."))
    if dataset == kept.read and dataset.n > MOST_LINKED:
        st.caption(TOO_MANY)


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


def _note_columns(page: str, table: pd.DataFrame | None) -> None:
    """Let the link say which columns of a held table are chosen."""
    names = [] if table is None else numeric_columns(table)
    chosen = [names.index(st.session_state[f"{page}_{axis}_column"]) for axis in "xy"] if names else FIRST
    note_text(f"{page}_columns", written_list(chosen), written_list(FIRST))


def _take(page: str, table: pd.DataFrame, origin: str) -> None:
    """Keep a table, with the columns of numbers chosen that the link says, else the first two."""
    names = numeric_columns(table)
    table = table[names]
    size = int(table.memory_usage(deep=True).sum()) + BYTES * len(table)
    held = ROOM.take(session_of_run(), size, recall(page).place)
    asked = None if recall(page).read else PLACES(text_in_link(f"{page}_columns"))
    for axis, place in zip("xy", asked if asked and max(asked) < len(names) else FIRST, strict=True):
        st.session_state[f"{page}_{axis}_column"] = names[place]
    keep(page, table=table, table_origin=origin, place=held)
    _choose(page)


def _refuse(page: str, fault: str) -> None:
    """Say what is wrong; what was good before stays in use. Where a file is taken out, its other columns go with it."""
    if fault:
        keep(page, fault=fault)
        return
    kept = recall(page)
    size = BYTES * kept.read.n if kept.read else 0
    keep(page, fault="", table=None, place=ROOM.take(session_of_run(), size, kept.place))


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
        others = {base: steps for base, steps in kept.edits.items() if base != read}  # read again is read anew
        keep(page, read=read, edits=others, fault="")
