"""The morph as one still picture, where the slider stands."""

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
import torch
from plotly.subplots import make_subplots
from torch import Tensor

from attention_ui.chapters.scoring.figures_numbered import Shades, add_matrix, finish_matrices, numbered
from attention_ui.figures.style import FONT, axis
from attention_ui.palette import POINTS, QUERY, REFERENCE

QUERIES, KEYS = 5, 7
ROWS, COLUMNS = tuple(f"q{i + 1}" for i in range(QUERIES)), tuple(f"k{i + 1}" for i in range(KEYS))
TITLES = ("Gaussian: −|q − k|² / 2", "Dot product: q · k", "|Gaussian − dot product|")
CIRCLE = 97  # points on it


def figure(now: Mapping[str, Tensor]) -> go.Figure:
    """The plane with the unit circle, and three heatmaps on one scale."""
    made = make_subplots(2, 2, subplot_titles=["Queries, keys, unit circle", *TITLES], vertical_spacing=0.16)
    angles = torch.linspace(0, 2 * math.pi, CIRCLE)
    made.add_scatter(
        x=angles.cos().tolist(), y=angles.sin().tolist(), mode="lines", name="unit circle",
        line={"color": POINTS, "dash": "dot"}, hoverinfo="skip", row=1, col=1,
    )  # fmt: skip
    _add_points(made, "queries", now["queries"], ROWS, {"color": QUERY, "symbol": "diamond", "size": 11})
    _add_points(made, "keys", now["keys"], COLUMNS, {"color": REFERENCE, "symbol": "circle", "size": 11})
    reach = 1.2 * max(1.0, now["queries"].abs().max().item(), now["keys"].abs().max().item())
    square = {"range": [-reach, reach], "constrain": "domain"}
    made.update_xaxes(axis("first coordinate", **square), row=1, col=1)
    made.update_yaxes(axis("second coordinate", scaleanchor="x", **square), row=1, col=1)
    matrices = [now[name] for name in ("gaussian", "dot", "apart")]
    for place, (title, matrix) in enumerate(zip(TITLES, matrices, strict=True), 1):
        add_matrix(made, numbered(title, matrix, ROWS, COLUMNS), place // 2 + 1, place % 2 + 1)
    highest = max(matrix.max().item() for matrix in matrices)
    finish_matrices(made, 2, Shades(high=highest, name="weight"))
    return made.update_layout(legend={"orientation": "h", "y": -0.1, "yanchor": "top", "font": FONT}, height=820)


def _add_points(made: go.Figure, name: str, places: Tensor, labels: Sequence[str], marker: dict[str, object]) -> None:
    x, y = places.T.tolist()
    made.add_scatter(
        x=x, y=y, mode="markers+text", name=name, text=list(labels), textposition="top center",
        textfont=FONT, marker=marker, hovertemplate="%{text}<br>%{x:.4f}, %{y:.4f}<extra></extra>", row=1, col=1,
    )  # fmt: skip
