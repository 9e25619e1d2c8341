"""Cost counted and cost measured in one figure, side by side."""

from collections.abc import Mapping

import plotly.graph_objects as go
from torch import Tensor

from attention_ui.chapters.self_attention.figures_cost import counted, over_length

LEFT, RIGHT = [0.0, 0.45], [0.55, 1.0]


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
