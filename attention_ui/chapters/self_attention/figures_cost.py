"""Cost against length, counted and measured, on axes by powers of ten."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from torch import Tensor

from attention_core.transformer.cost import LAYERS, LENGTHS
from attention_ui.figures.style import axis, finish
from attention_ui.figures.ticks import log_ticks
from attention_ui.palette import PREDICTION, REFERENCE, TRUTH

STYLES = ((PREDICTION, "solid", "circle"), (REFERENCE, "dash", "square"), (TRUTH, "dot", "diamond"))
LEFT, RIGHT = [0.0, 0.45], [0.55, 1.0]  # of the width, for two charts side by side


def counted(multiplications: Tensor) -> go.Figure:
    """Multiplications (layers, lengths) over the length, constant factors included."""
    rows = zip(LAYERS, multiplications.tolist(), strict=True)
    return over_length({name: dict(zip(LENGTHS, row, strict=True)) for name, row in rows}, "multiplications")


def over_length(lines: Mapping[str, Mapping[int, float]], label: str) -> go.Figure:
    """One line for each layer: its cost at every length that is known."""
    figure = go.Figure()
    for name, points in lines.items():
        colour, dash, symbol = STYLES[list(LAYERS).index(name) % len(STYLES)]
        figure.add_scatter(
            x=list(points),
            y=list(points.values()),
            mode="lines+markers",
            name=LAYERS[name].label,
            line={"color": colour, "dash": dash, "width": 3},
            marker={"symbol": symbol, "size": 10},
            hovertemplate=f"{LAYERS[name].label}<br>length %{{x}}<br>{label} %{{y:.3g}}<extra></extra>",
        )
    lengths = sorted({n for points in lines.values() for n in points})
    costs = [cost for points in lines.values() for cost in points.values() if cost > 0]
    up = log_ticks(min(costs) / 2, max(costs) * 2) if costs else {"type": "log"}
    return finish(figure, _lengths(lengths), axis(label, **up), top=40)


def _lengths(lengths: Sequence[int]) -> dict[str, Any]:
    return axis("length n", type="log", tickvals=list(lengths), ticktext=[str(n) for n in lengths])


def counted_and_measured(multiplications: Tensor, best: Mapping[str, Mapping[int, float]] | None) -> go.Figure:
    """Multiplications over the length, and beside them the seconds where they were measured."""
    figure = counted(multiplications)
    if not best:
        return figure
    clock = over_length(best, "seconds")
    for trace in clock.data:
        figure.add_trace(trace.update(xaxis="x2", yaxis="y2", showlegend=False))
    across, up = (clock.layout[name].to_plotly_json() for name in ("xaxis", "yaxis"))
    figure.update_layout(xaxis_domain=LEFT, xaxis2={**across, "domain": RIGHT, "anchor": "y2"})
    figure.update_layout(yaxis2={**up, "anchor": "x2"})
    return figure
