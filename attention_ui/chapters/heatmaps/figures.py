"""The gallery as a plotly figure."""

import math

import plotly.graph_objects as go
import torch
from torch import Tensor

from attention_ui.figures.heatmaps import show_heatmaps
from attention_ui.palette import shades

FEW, MANY = 4, 8  # heatmaps in a row


def in_rows(weights: Tensor, titles: list[str], shared: bool) -> go.Figure:
    """Heatmaps (P, Q, K) in rows; without a shared scale each is coloured up to its own largest weight."""
    count, queries, keys = weights.shape
    rows = math.ceil(count / (FEW if count <= 2 * FEW else MANY))
    columns = math.ceil(count / rows)
    empty = torch.full((rows * columns - count, queries, keys), math.nan, dtype=weights.dtype)
    grid = torch.cat([weights, empty]).view(rows, columns, queries, keys)
    figure = show_heatmaps(grid, [*titles, *[""] * len(empty)])
    for trace in () if shared else figure.data:
        cells = torch.tensor(trace.z, dtype=torch.float64).nan_to_num()
        colours, low, high = shades(min(0.0, float(cells.min())), max(float(cells.max()), 1e-12))
        trace.update(coloraxis=None, showscale=False, zmin=low, zmax=high, colorscale=colours)
    figure.update_layout(height=rows * min(460, max(170, 1100 // columns)) + 90)
    return figure
