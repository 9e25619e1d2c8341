"""The error as data grow, for three rules of choosing a width."""

from collections.abc import Sequence

import plotly.graph_objects as go

from attention_core.regression.more_data import Point
from attention_ui.figures.style import axis, finish
from attention_ui.figures.ticks import log_ticks
from attention_ui.palette import AVERAGE, PREDICTION, REFERENCE

# A label, a dash and a symbol for every rule: nothing is told by colour alone.
GROWING = {
    "fixed": ("Fixed width", REFERENCE, "dash", "square"),
    "rule_of_thumb": ("Rule of thumb", AVERAGE, "dot", "diamond"),
    "leave_one_out": ("Leave-one-out", PREDICTION, "solid", "circle"),
}


def error_over_n(points: Sequence[Point]) -> go.Figure:
    """Error against the number of samples, both log, a line per rule; draws as many points as there are so far."""
    figure = go.Figure()
    for rule, (label, colour, dash, symbol) in GROWING.items():
        mine = [point for point in points if point.rule == rule]
        figure.add_scatter(
            x=[point.n for point in mine],
            y=[point.error for point in mine],
            mode="lines+markers",
            name=label,
            line={"color": colour, "dash": dash, "width": 3},
            marker={"color": colour, "symbol": symbol, "size": 11},
            customdata=[point.width for point in mine],
            hovertemplate=f"{label}<br>n = %{{x:,}}<br>error %{{y:.4g}}<br>width %{{customdata:.4g}}<extra></extra>",
        )
    sizes = sorted({point.n for point in points})
    x_ticks = {"tickvals": sizes, "ticktext": [f"{n:,}" for n in sizes]} if sizes else {}
    # Tiny errors are rounding, and a decade of them has no room for ticks: as if they were 1e-12.
    errors = [max(point.error, 1e-12) for point in points]
    y_ticks = log_ticks(min(errors) / 2, max(errors) * 2) if errors else {"type": "log"}
    up = axis("true error (mean squared)", **y_ticks)
    return finish(figure, axis("samples n", type="log", **x_ticks), up, top=40)
