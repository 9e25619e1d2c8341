"""Attention weights as pictures: queries down, keys across."""

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots
from torch import Tensor

from attention_ui.figures.style import FONT, MARGIN, axis
from attention_ui.palette import SEQUENTIAL


def show_heatmaps(
    matrices: Tensor, titles: Sequence[str] = (), x_label: str = "Keys", y_label: str = "Queries"
) -> go.Figure:
    """A (rows, columns, queries, keys) array as a grid of heatmaps that share one colour bar, from 0 to the largest."""
    rows, columns, _, _ = matrices.shape
    figure = make_subplots(rows, columns, subplot_titles=list(titles), shared_xaxes=True, shared_yaxes=True)
    for row in range(rows):
        for column in range(columns):
            figure.add_heatmap(
                z=matrices[row, column].tolist(),
                coloraxis="coloraxis",
                hovertemplate="query %{y}<br>key %{x}<br>weight %{z:.4f}<extra></extra>",
                row=row + 1,
                col=column + 1,
            )
    finite = matrices.nan_to_num()
    figure.update_layout(
        margin={**MARGIN, "t": 32 if titles else 8},
        coloraxis={
            "colorscale": SEQUENTIAL,
            "cmin": min(0.0, finite.min().item()),
            "cmax": max(finite.max().item(), 1e-12),  # an all-zero picture still needs a range
            "colorbar": {"title": {"text": "weight", "side": "right"}, "tickfont": FONT, "thickness": 14, "len": 1.04},
        },
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False, tickfont=FONT)
    figure.update_xaxes(showgrid=False, zeroline=False, tickfont=FONT)
    figure.update_xaxes(axis(x_label), row=rows)
    figure.update_yaxes(axis(y_label), col=1)
    return figure
