"""Matrices with their numbers in their cells, side by side: what a picture or a chain of grids shows, at rest."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go
from plotly.subplots import make_subplots
from torch import Tensor

from attention_ui.chapters.scoring.figures_blocks import Grid, Texts, cells, two
from attention_ui.figures.style import FONT, axis
from attention_ui.palette import SEQUENTIAL

HIDDEN = "×"
ROW_HEIGHT, EDGES = 300, 110  # pixels of one row of matrices, and of what stands around all of them


class Matrix(NamedTuple):
    """One matrix: what its shades tell, and what stands in, beside and above its cells."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    shades: list[list[float]]
    texts: Texts
    tips: Texts
    sums: Sequence[str] = ()  # at the right edge, one per row


class Shades(NamedTuple):
    """The one scale of colours, and what it measures; without a name, no colour bar is drawn."""

    low: float = 0.0
    high: float = 1.0
    name: str = ""


class Sides(NamedTuple):
    """What the rows and the columns are together."""

    rows: str = "queries"
    columns: str = "keys"


UP_TO_1 = Shades()
QUERIES_AND_KEYS = Sides()


def numbered(
    title: str, matrix: Tensor, rows: Sequence[str], columns: Sequence[str], hidden: Tensor | None = None
) -> Matrix:
    """A matrix (Q, K) with its numbers in its cells; hidden ones are crossed out."""
    texts = cells(matrix, two)
    for i, j in hidden.nonzero().tolist() if hidden is not None else ():
        texts[i][j] = HIDDEN
    tips = [
        [f"{row}, {column}: {x!r}" for column, x in zip(columns, line, strict=True)]
        for row, line in _lines(rows, matrix)
    ]
    return Matrix(title, rows, columns, matrix.tolist(), texts, tips)


def _lines(rows: Sequence[str], matrix: Tensor) -> list[tuple[str, list[float]]]:
    return list(zip(rows, matrix.tolist(), strict=True))


def from_grid(grid: Grid) -> Matrix:
    """A matrix of the page's own, as it stands there."""
    return Matrix(grid.title, grid.rows, grid.columns, grid.shades, grid.texts, grid.tips, grid.sums)


def side_by_side(
    shown: Sequence[Matrix | None],
    across: int,
    shades: Shades = UP_TO_1,
    sides: Sides | None = QUERIES_AND_KEYS,
    gap: float = 0.06,
) -> go.Figure:
    """The matrices, so many in a row, row by row, None for an empty place; `gap` is the share of the width between."""
    down = -(-len(shown) // across)
    figure = make_subplots(
        down,
        across,
        subplot_titles=[each.title if each else "" for each in shown],
        horizontal_spacing=gap,
        vertical_spacing=0.36 / down**1.3,
    )
    for place, each in enumerate(shown):
        if each:
            row, column = place // across, place % across
            # Said once for all: at the left, and below the last row.
            outer = sides and Sides("" if column else sides.rows, sides.columns if row == down - 1 else "")
            add_matrix(figure, each, row + 1, column + 1, outer)
    return finish_matrices(figure, down, shades)


def add_matrix(figure: go.Figure, each: Matrix, row: int, column: int, sides: Sides | None = QUERIES_AND_KEYS) -> None:
    """Draw one matrix into its place of a figure, its first row on top."""
    figure.add_heatmap(
        z=each.shades,
        text=each.texts,
        texttemplate="%{text}",
        hovertext=each.tips,
        hoverinfo="text",
        coloraxis="coloraxis",
        xgap=1,
        ygap=1,
        row=row,
        col=column,
    )
    across, down = _ticks(each.columns), _ticks(each.rows)
    figure.update_xaxes(axis(sides.columns if sides else "", **across), row=row, col=column)
    figure.update_yaxes(axis(sides.rows if sides else "", **down, autorange="reversed"), row=row, col=column)
    for place, total in enumerate(each.sums):
        figure.add_annotation(
            x=len(each.columns) - 0.45, y=place, text=total, showarrow=False, xanchor="left", row=row, col=column
        )


def _ticks(labels: Sequence[str]) -> dict[str, Any]:
    """Labels by place, since two tokens may have the same name."""
    # "pad" may stand there twice, and plotly takes equal names for one place.
    return {
        "tickvals": list(range(len(labels))),
        "ticktext": list(labels),
        "showgrid": False,
        "zeroline": False,
        "ticklabelstandoff": 4,
    }


def finish_matrices(figure: go.Figure, down: int, shades: Shades = UP_TO_1) -> go.Figure:
    """Colours, type, and as much height as so many rows of matrices need."""
    bar = {"title": {"text": shades.name, "side": "right"}, "tickfont": FONT, "thickness": 14}
    figure.update_layout(
        coloraxis={
            "colorscale": SEQUENTIAL, "cmin": shades.low, "cmax": shades.high, "colorbar": bar,
            "showscale": bool(shades.name),
        },
        margin={"l": 64, "r": 16, "t": 52, "b": 56},
        height=ROW_HEIGHT * down + EDGES,
    )  # fmt: skip
    figure.update_annotations(font=FONT)
    return figure
