"""A table whose last rows move with the frame: numbers that need not wait for the server."""

from typing import NamedTuple

from attention_ui.pictures.packing import Packed


class Table(NamedTuple):
    """Rows that stay, and below them rows that have their own words for every frame."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    live: tuple[tuple[tuple[str, ...], ...], ...]  # (F,): the last rows at every frame
    note: str = ""  # a sentence below, with {} where its numbers stand
    noted: tuple[tuple[str, ...], ...] = ()  # (F,): its numbers at every frame

    def packed(self) -> Packed:
        """For the browser: js/table.js shows it."""
        return Packed({"kind": "table", **self._asdict()})
