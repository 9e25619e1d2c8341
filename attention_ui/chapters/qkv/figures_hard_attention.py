"""Single looks, their running average, and the weighted average that it converges to."""

import math
from collections.abc import Mapping

import plotly.graph_objects as go
from torch import Tensor

from attention_ui.figures.style import Axis, axis, finish
from attention_ui.figures.ticks import log_ticks
from attention_ui.palette import POINTS, PREDICTION, REFERENCE

FEWEST = 10  # looks on the axis


def running_average(shown: Mapping[str, Tensor], y: Axis) -> go.Figure:
    """Every look as a circle, their average so far as a line, and soft ± two standard errors as a band."""
    total, soft, errors = len(shown["seen"]), shown["output"].item(), shown["errors"]
    count = shown["looks"].tolist()
    figure = go.Figure()
    _add_band(figure, count, soft - 2 * errors, soft + 2 * errors)
    figure.add_scatter(
        x=count,
        y=shown["heard"].tolist(),
        mode="markers",
        name="One look",
        marker={"color": POINTS, "size": 6, "symbol": "circle-open", "opacity": 0.5},
        hovertemplate="look %{x}<br>value %{y:.4g}<extra></extra>",
    )
    figure.add_scatter(
        x=[1, max(FEWEST, total)],
        y=[soft, soft],
        mode="lines",
        name="Soft output",
        line={"color": REFERENCE, "dash": "dash", "width": 3},
        hovertemplate="soft output %{y:.6g}<extra></extra>",
    )
    figure.add_scatter(
        x=count,
        y=shown["averages"].tolist(),
        mode="lines+markers" if total == 1 else "lines",
        name="Average of the looks",
        line={"color": PREDICTION, "width": 4},
        hovertemplate="after %{x} looks<br>average %{y:.6g}<extra></extra>",
    )
    return finish(figure, _look_axis(max(FEWEST, total)), axis(y.label, range=[y.low, y.high]), 48)


def _add_band(figure: go.Figure, count: list[int], low: Tensor, high: Tensor) -> None:
    figure.add_scatter(
        x=[*count, *reversed(count)],
        y=[*high.tolist(), *reversed(low.tolist())],
        mode="none",
        fill="toself",
        fillcolor=REFERENCE,
        opacity=0.15,  # of the trace: the colour itself must stay the stand-in that the theme replaces
        name="± 2 standard errors",
        hoverinfo="skip",
    )


def _look_axis(last: int) -> dict[str, object]:
    return axis("looks", range=[-0.02, math.log10(last) + 0.02], **log_ticks(1, last))
