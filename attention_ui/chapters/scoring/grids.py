"""Matrices on the screen, side by side: hover a cell to see what it is made of, click one to follow it."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from attention_ui.chapters.scoring.grids_blocks import Grid
from attention_ui.component import component, told

HERE = Path(__file__).parent
DENSE, WIDE, LONG = 40, 6, 9  # cells across all grids, down and across one, from which on they are drawn smaller

GRIDS = component("grids", HERE / "js" / "grids.js", HERE / "grids.css")


def show_grids(
    key: str,
    grids: Sequence[Grid],
    alt: str,
    *,
    tip: str = "",
    chosen: tuple[int | None, int | None] = (None, None),
    on_pick: Callable[[], None] | None = None,
) -> None:
    """Show the grids with the chosen query and key marked; a click is told to `on_pick`."""
    query, place = chosen
    across, down = [len(grid.columns) for grid in grids], [len(grid.rows) for grid in grids]
    GRIDS(
        key=key,
        data={
            "grids": [asdict(grid) for grid in grids],
            "alt": alt,
            "tip": tip,
            "chosen": {"query": query, "key": place},
            "dense": sum(across) > DENSE or max(down) > WIDE or max(across) > LONG,
            "wide": max(across) >= WIDE,
        },
        on_pick_change=on_pick or (lambda: None),
    )


def picked(key: str) -> tuple[str, int, int] | None:
    """The grid, row and column that was clicked, when the browser said something sensible."""
    pick = told(key, "pick")
    if not isinstance(pick, list) or len(pick) != 3:
        return None
    name, row, column = pick
    sensible = isinstance(name, str) and all(type(place) is int and 0 <= place < 64 for place in (row, column))
    return (name, row, column) if sensible else None
