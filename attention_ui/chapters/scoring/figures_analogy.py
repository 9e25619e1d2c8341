"""Two ways to the same curve: kernel regression, and torch's own attention with one coordinate more."""

import plotly.graph_objects as go
from torch import Tensor

from attention_core.data import Samples
from attention_ui.figures.style import axis, finish
from attention_ui.palette import POINTS, PREDICTION, QUERY


def same_curve(queries: Tensor, samples: Samples, kernel: Tensor, attention: Tensor) -> go.Figure:
    """The samples, the lab's curve as a wide line, and torch's attention as a dashed one on top of it."""
    figure = go.Figure()
    figure.add_scatter(
        x=samples.x.tolist(),
        y=samples.y.tolist(),
        mode="markers",
        name="Samples",
        marker={"color": POINTS, "symbol": "circle-open", "size": 8},
        hovertemplate="key %{x:.4g}<br>value %{y:.4g}<extra></extra>",
    )
    figure.add_scatter(
        x=queries.tolist(),
        y=kernel.tolist(),
        mode="lines",
        name="Kernel regression",
        line={"color": PREDICTION, "width": 9},
        opacity=0.45,
        hovertemplate="kernel regression %{y:.10g}<extra></extra>",
    )
    figure.add_scatter(
        x=queries.tolist(),
        y=attention.tolist(),
        mode="lines",
        name="scaled_dot_product_attention",
        line={"color": QUERY, "width": 3, "dash": "dash"},
        hovertemplate="attention %{y:.10g}<extra></extra>",
    )
    return finish(figure, axis("query"), axis("output"), top=40, hovermode="x")
