"""What components show, as plotly figures: the stage with its curve and its weights, and the gallery."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go
import torch
from plotly.subplots import make_subplots
from torch import Tensor

from attention_core.regression.frames import key_groups, summed
from attention_ui.controls.dataset import Dataset
from attention_ui.figures.heatmaps import show_heatmaps
from attention_ui.figures.style import FONT, MARGIN, axis
from attention_ui.palette import AVERAGE, POINTS, PREDICTION, REFERENCE, SEQUENTIAL, TRUTH
from attention_ui.pictures import Line
from attention_ui.pictures.scenes import FINE, reference_lines, value_axis

ROLES = {"truth": (TRUTH, "dash"), "average": (AVERAGE, "dot"), "reference": (REFERENCE, "dashdot")}
FEW, MANY = 4, 8  # heatmaps in a row
BAR = {"title": {"text": "weight", "side": "top"}, "tickfont": FONT, "thickness": 14}


def fine_grid(dataset: Dataset) -> Tensor:
    """Where the curves of a picture are drawn."""
    return torch.linspace(dataset.low, dataset.high, FINE, dtype=torch.float64)


def curve_and_weights(
    dataset: Dataset, curve: Tensor, queries: Tensor, weights: Tensor, below: Sequence[str] = ()
) -> go.Figure:
    """The prediction over the fine grid on the left, the weights (Q, K) on the right; `below` names graphs to come."""
    rows = 2 if below else 1
    figure = make_subplots(
        rows, 2, horizontal_spacing=0.1, vertical_spacing=0.2, row_heights=[0.65, 0.35] if below else None
    )
    _add_curves(figure, dataset, curve)
    _add_weights(figure, queries, weights)
    legend = {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "font": FONT}
    figure.update_layout(margin={**MARGIN, "t": 40}, legend=legend)
    if below:
        figure.update_coloraxes(colorbar={"y": 1, "yanchor": "top", "len": 0.6})
    for column, name in enumerate(below, 1):
        figure.update_xaxes(axis("epoch"), row=2, col=column)
        figure.update_yaxes(axis(name), row=2, col=column)
    return figure


def _add_curves(figure: go.Figure, dataset: Dataset, curve: Tensor) -> None:
    fine = fine_grid(dataset)
    lines = reference_lines(dataset, fine)
    x, y = (column.tolist() for column in dataset.samples())
    marker = {"color": POINTS, "size": 7, "opacity": 0.7}
    figure.add_scatter(x=x, y=y, mode="markers", name="Points", marker=marker, row=1, col=1)
    for line in lines:
        _add_line(figure, fine, line)
    solid = {"color": PREDICTION, "width": 4, "simplify": False}
    figure.add_scatter(
        x=fine.tolist(), y=curve.tolist(), mode="lines", name="Prediction", line=solid, connectgaps=False, row=1, col=1
    )
    up = value_axis(dataset, lines)
    figure.update_xaxes(axis(dataset.x_label, range=[dataset.low, dataset.high]), row=1, col=1)
    figure.update_yaxes(axis(up.label, range=[up.low, up.high]), row=1, col=1)


def _add_line(figure: go.Figure, fine: Tensor, line: Line) -> None:
    colour, dash = ROLES[line.role]
    drawn = {"color": colour, "dash": dash, "width": 2, "simplify": False}
    figure.add_scatter(x=fine.tolist(), y=line.values.tolist(), mode="lines", name=line.name, line=drawn, row=1, col=1)


def _add_weights(figure: go.Figure, queries: Tensor, weights: Tensor) -> None:
    """As on the stage: with more than a hundred keys, neighbours share a column, which sums their weights."""
    groups = key_groups(weights.shape[1])
    shown, each = summed(weights, groups), weights.shape[1] / (int(groups[-1]) + 1)
    what = "key" if each == 1 else "keys around"
    figure.add_heatmap(
        z=shown.tolist(),
        x0=(each - 1) / 2,
        dx=each,
        y=queries.tolist(),
        coloraxis="coloraxis",
        hovertemplate=f"query %{{y:.4g}}<br>{what} %{{x:.0f}}<br>weight %{{z:.4f}}<extra></extra>",
        row=1,
        col=2,
    )
    low, high = min(0.0, float(shown.min())), max(float(shown.max()), 1e-12)
    figure.update_layout(coloraxis={"colorscale": SEQUENTIAL, "cmin": low, "cmax": high, "colorbar": BAR})
    figure.update_xaxes(axis("keys, by number", showgrid=False, zeroline=False), row=1, col=2)
    figure.update_yaxes(axis("queries", autorange="reversed", showgrid=False, zeroline=False), row=1, col=2)


def add_epochs(figure: go.Figure, column: int, values: Tensor, names: Sequence[str], at: int) -> None:
    """Numbers (E + 1, H) over the epochs in the second row, one line for each name, with a ring at an epoch."""
    colours = (PREDICTION, REFERENCE, TRUTH, AVERAGE)
    dashes = ("solid", "dash", "dot", "dashdot")
    for name, line, colour, dash in zip(names, values.T.tolist(), colours, dashes, strict=False):
        drawn = {"color": colour, "dash": dash, "width": 3}
        place = {"row": 2, "col": column, "showlegend": False}
        figure.add_scatter(y=line, mode="lines", name=name, line=drawn, **place)
        ring = {"color": colour, "size": 13, "symbol": "circle-open", "line": {"width": 3}}
        figure.add_scatter(x=[at], y=[line[at]], mode="markers", name=f"{name}, shown", marker=ring, **place)


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
        own = {"zmin": min(0.0, float(cells.min())), "zmax": max(float(cells.max()), 1e-12), "colorscale": SEQUENTIAL}
        trace.update(coloraxis=None, showscale=False, **own)
    figure.update_layout(height=rows * min(460, max(170, 1100 // columns)) + 90)
    return figure
