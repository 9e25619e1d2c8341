"""Why divide by sqrt(d), as one still picture: the weights at one d, and what was measured at every d."""

from collections.abc import Mapping

import plotly.graph_objects as go
from plotly.subplots import make_subplots
from torch import Tensor

from attention_core.demos.scaling import OFFERED
from attention_ui.chapters.scoring.explorer import note
from attention_ui.chapters.scoring.figures_numbered import Shades, add_matrix, finish_matrices, numbered
from attention_ui.chapters.scoring.vectors import COLUMNS, DIMENSIONS, ROWS
from attention_ui.figures.style import axis
from attention_ui.figures.ticks import log_ticks
from attention_ui.palette import PREDICTION, REFERENCE

NAMES = PLAIN, SCALED = "q · k", "q · k / √d"
FIELDS = {"variance": "Variance of scores", "reach": f"Keys listened to, of {OFFERED}", "gradient": "Softmax gradient"}


def figure(found: Mapping[str, Tensor], weights: Tensor, d: int) -> go.Figure:
    """Two heatmaps above, three graphs below with a mark at this d."""
    names = [f"softmax({name}): {note(each)}" for name, each in zip(NAMES, weights, strict=True)]
    specs = [[{"colspan": 3}, None, None] * 2, [{"colspan": 2}, None] * 3]
    made = make_subplots(
        2, 6, specs=specs, subplot_titles=[*names, *FIELDS.values()], vertical_spacing=0.2, horizontal_spacing=0.06
    )
    for column, (name, each) in enumerate(zip(names, weights, strict=True)):
        add_matrix(made, numbered(name, each, ROWS, COLUMNS), 1, 3 * column + 1)
    for column, field in enumerate(FIELDS):
        _add_graph(made, found, field, d, 2 * column + 1)
    made.update_yaxes(log_ticks(0.5, 1000), row=2, col=1)
    finish_matrices(made, 2, Shades(name="weight"))
    return made.update_layout(
        coloraxis_colorbar={"len": 0.45, "y": 1, "yanchor": "top"},
        legend={"orientation": "h", "y": -0.14, "yanchor": "top"}, margin={"b": 96}, height=760,
    )  # fmt: skip


def _add_graph(made: go.Figure, found: Mapping[str, Tensor], field: str, d: int, column: int) -> None:
    styles = (PREDICTION, "solid", "circle"), (REFERENCE, "dash", "diamond")
    for name, values, (colour, dash, symbol) in zip(NAMES, found[field].tolist(), styles, strict=True):
        made.add_scatter(
            x=list(DIMENSIONS), y=values, mode="lines+markers", name=name, legendgroup=name, showlegend=column == 1,
            line={"color": colour, "width": 3, "dash": dash},
            marker={"symbol": symbol, "size": [13 if each == d else 4 for each in DIMENSIONS], "opacity": 1},
            hovertemplate=f"{name}<br>d = %{{x}}<br>%{{y:.6g}}<extra></extra>", row=2, col=column,
        )  # fmt: skip
    made.update_xaxes(axis("dimensions d", **log_ticks(1, DIMENSIONS[-1])), row=2, col=column)
    made.update_yaxes(axis(field), row=2, col=column)
