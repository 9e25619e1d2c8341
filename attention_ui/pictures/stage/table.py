"""A table whose last row moves with the stage's slider: numbers that need not wait for the server."""

from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

from attention_ui.pictures.stage.packing import framed
from attention_ui.pictures.stage.script import script

TABLE = st.components.v2.component(
    "attention_lab_table",
    html='<div class="table"></div>',
    css=(Path(__file__).parent / "table.css").read_text("utf-8"),
    js=script("format", "bytes", "place", "slider", "table"),
)


@dataclass(frozen=True)
class Table:
    """Rows that stay, and one that has its own words for every frame of a stage."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    live: tuple[tuple[str, ...], ...]  # (F,): the last row at every frame
    notes: tuple[str, ...]  # (F,): a sentence below
    slider: str  # the key of the native slider whose position is the frame
    stage: str  # the key of the stage whose cue tells the committed frame, where the slider's input is missing


def pack_table(table: Table) -> bytes:
    """The table as bytes for the browser."""
    return framed(asdict(table))


def show_table(key: str, packed: bytes) -> None:
    """Show a packed table."""
    TABLE(key=key, data=packed)
