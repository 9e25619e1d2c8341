"""The desk in bars: how much attention every object gets, and what that brings."""

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots
from torch import Tensor

from attention_ui.figures.style import FONT, axis
from attention_ui.numbers import short
from attention_ui.palette import PREDICTION, REFERENCE


def desk_bars(things: Sequence[str], weights: Tensor, gains: Sequence[str], output: Tensor) -> go.Figure:
    """Weights (K,) of the objects at the left, the output (V,) at the right."""
    figure = make_subplots(1, 2, subplot_titles=["Attention", "What you get"], column_widths=[3, 2])
    figure.add_bar(
        x=list(things),
        y=weights.tolist(),
        text=[f"{weight:.1%}" for weight in weights.tolist()],
        marker={"color": PREDICTION},
        hovertemplate="%{x}<br>weight %{y:.6f}<extra></extra>",
        row=1,
        col=1,
    )
    figure.add_bar(
        x=list(gains),
        y=output.tolist(),
        text=[short(amount) for amount in output.tolist()],
        marker={"color": REFERENCE},
        hovertemplate="%{x}<br>%{y:.6f}<extra></extra>",
        row=1,
        col=2,
    )
    figure.update_traces(textposition="outside", textfont=FONT, cliponaxis=False)
    figure.update_xaxes(axis("object"), col=1)
    figure.update_xaxes(axis("gain"), col=2)
    figure.update_yaxes(axis("weight", range=[0, 1.08]), col=1)
    figure.update_yaxes(axis("amount", range=[0, 10.8]), col=2)
    figure.update_layout(showlegend=False, margin={"l": 64, "r": 16, "t": 44, "b": 56})
    figure.update_annotations(font=FONT)
    return figure
