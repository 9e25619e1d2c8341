"""A table whose last row moves with the frame: numbers that need not wait for the server."""

from typing import NamedTuple

from attention_ui.pictures.packing import Packed


class Table(NamedTuple):
    """Rows that stay, and one that has its own words for every frame."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    live: tuple[tuple[str, ...], ...]  # (F,): the last row at every frame
    notes: tuple[str, ...]  # (F,): a sentence below

    def packed(self) -> Packed:
        """For the browser: js/table.js shows it."""
        return Packed({"kind": "table", **self._asdict()})
