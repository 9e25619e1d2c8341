"""What was seen, what is true, and what attention predicts, on one pair of axes."""

from typing import NamedTuple

import plotly.graph_objects as go
from torch import Tensor

from attention_core.data import Samples
from attention_ui.figures.style import axis, finish
from attention_ui.palette import AVERAGE, POINTS, PREDICTION, REFERENCE, TRUTH

# A dash for every line, so that no two are told apart by colour alone.
STYLES = {
    "Truth": (TRUTH, "dash", 2),
    "Average pooling": (AVERAGE, "dot", 2),
    "Width 1": (REFERENCE, "dashdot", 2),
    "Prediction": (PREDICTION, "solid", 4),
}


class Axis(NamedTuple):
    """What an axis measures, and from where to where."""

    label: str = "x"
    low: float | None = None
    high: float | None = None


def curves(samples: Samples, queries: Tensor, lines: dict[str, Tensor], x: Axis, y: Axis) -> go.Figure:
    """The samples as circles under named lines over the queries; a NaN is a gap in its line."""
    figure = go.Figure(
        go.Scatter(
            x=samples.x.tolist(),
            y=samples.y.tolist(),
            mode="markers",
            name="Samples",
            marker={"color": POINTS, "size": 8, "symbol": "circle-open", "line": {"width": 2}},
            hovertemplate="key %{x:.3f}<br>value %{y:.3f}<extra></extra>",
        )
    )
    for name, line in lines.items():
        colour, dash, thickness = STYLES[name]
        figure.add_scatter(
            x=queries.tolist(),
            y=line.tolist(),
            mode="lines",
            name=name,
            line={"color": colour, "dash": dash, "width": thickness},
            hovertemplate=f"{name}<br>query %{{x:.3f}}<br>output %{{y:.3f}}<extra></extra>",
        )
    return finish(figure, axis(x.label, range=_range(x)), axis(y.label, range=_range(y)))


def _range(axis: Axis) -> list[float] | None:
    return None if axis.low is None or axis.high is None else [axis.low, axis.high]
