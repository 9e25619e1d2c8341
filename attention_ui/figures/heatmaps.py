"""Attention weights as pictures: queries down, keys across."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go
from plotly.subplots import make_subplots
from torch import Tensor
from torch.nn.functional import avg_pool2d

from attention_ui.figures.style import FONT, MARGIN, axis
from attention_ui.palette import shades

MOST_CELLS = 128  # along one side of a drawn matrix; more would be finer than the screen


class Reduced(NamedTuple):
    """Matrices small enough to draw, and how many queries and keys share one of their cells."""

    matrices: Tensor  # (..., Q, K)
    queries: int
    keys: int


def reduced(matrices: Tensor, most: int = MOST_CELLS) -> Reduced:
    """At most so many cells a side: each is the mean of a block of weights, at the far edges of what is left of one."""
    *stack, queries, keys = matrices.shape
    blocks = math.ceil(queries / most), math.ceil(keys / most)
    if blocks == (1, 1):
        return Reduced(matrices, 1, 1)
    flat = matrices.reshape(-1, 1, queries, keys)
    means = avg_pool2d(flat, blocks, ceil_mode=True, count_include_pad=False)
    return Reduced(means.reshape(*stack, *means.shape[-2:]), *blocks)


def show_heatmaps(
    matrices: Tensor, titles: Sequence[str] = (), x_label: str = "Keys", y_label: str = "Queries"
) -> go.Figure:
    """A (rows, columns, queries, keys) array as a grid of heatmaps that share one colour bar, from 0 to the largest.

    Large matrices are drawn as means over blocks.
    """
    rows, columns = matrices.shape[:2]
    drawn = reduced(matrices)
    gaps = {"horizontal_spacing": 0.3 / (columns + 1) / 2, "vertical_spacing": 0.3 / (rows + 1)} if titles else {}
    figure = make_subplots(rows, columns, subplot_titles=list(titles), shared_xaxes=True, shared_yaxes=True, **gaps)
    for row in range(rows):
        for column in range(columns):
            figure.add_heatmap(
                z=drawn.matrices[row, column].tolist(),
                **_places(drawn),
                coloraxis="coloraxis",
                row=row + 1,
                col=column + 1,
            )
    figure.update_layout(margin={**MARGIN, "t": 32 if titles else 8}, coloraxis=_colours(drawn.matrices))
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False, tickfont=FONT)
    figure.update_xaxes(showgrid=False, zeroline=False, tickfont=FONT)
    figure.update_xaxes(axis(x_label), row=rows)
    figure.update_yaxes(axis(y_label), col=1)
    figure.update_annotations(font=FONT)
    return figure


def _places(drawn: Reduced) -> dict[str, object]:
    """Where cells stand and what a pointer reads there: whole numbers, or the middle of what shares a cell."""
    if drawn.queries == drawn.keys == 1:
        return {"hovertemplate": "query %{y}<br>key %{x}<br>weight %{z:.4f}<extra></extra>"}
    around = "around query %{y:.0f}<br>around key %{x:.0f}<br>mean weight %{z:.4g}<extra></extra>"
    return {
        "x0": (drawn.keys - 1) / 2,
        "dx": drawn.keys,
        "y0": (drawn.queries - 1) / 2,
        "dy": drawn.queries,
        "hovertemplate": around,
    }


def _colours(matrices: Tensor) -> dict[str, object]:
    finite = matrices.nan_to_num()
    # An all-zero picture still needs a range.
    colours, low, high = shades(min(0.0, finite.min().item()), max(finite.max().item(), 1e-12))
    return {
        "colorscale": colours,
        "cmin": low,
        "cmax": high,
        "colorbar": {"title": {"text": "weight", "side": "right"}, "tickfont": FONT, "thickness": 14, "len": 1.04},
    }
