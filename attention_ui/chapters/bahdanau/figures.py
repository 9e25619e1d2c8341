"""Exact match over the length of the string, with and without attention."""

from collections.abc import Sequence

import plotly.graph_objects as go

from attention_core.sequences.checkpoint import CHECKPOINTS
from attention_ui.figures.style import FONT, axis, finish
from attention_ui.palette import AVERAGE, POINTS, PREDICTION, REFERENCE

# A colour, a dash and a symbol for every model: nothing is told by colour alone.
LOOKS = {
    "with_attention": (PREDICTION, "solid", "circle"),
    "fixed_context": (REFERENCE, "dash", "square"),
    "fixed_longer": (AVERAGE, "dot", "diamond"),
}
LABELS = {
    "with_attention": "With attention",
    "fixed_context": "Fixed context",
    "fixed_longer": f"Fixed context, {CHECKPOINTS['reverse-fixed-long'].config.steps:,} steps",
}


def lengths_chart(lengths: Sequence[int], shares: dict[str, list[float]], trained_up_to: int) -> go.Figure:
    """A line for every model, and where the lengths it was trained on end."""
    figure = go.Figure()
    for name, row in shares.items():
        (colour, dash, symbol), label = LOOKS[name], LABELS[name]
        figure.add_scatter(
            x=list(lengths),
            y=row,
            mode="lines+markers",
            name=label,
            line={"color": colour, "width": 3, "dash": dash},
            marker={"symbol": symbol, "size": 10},
            hovertemplate=f"{label}<br>%{{x}} digits: %{{y:.0%}} right<extra></extra>",
        )
    edge = trained_up_to + 0.5
    figure.add_vline(edge, line={"color": POINTS, "dash": "dot", "width": 2})
    figure.add_annotation(
        x=edge,
        y=0.5,
        xanchor="right",
        yanchor="middle",
        xshift=-8,
        showarrow=False,
        font=FONT,
        text="trained<br>up to here",
    )
    return finish(
        figure,
        axis("digits in the string", dtick=1, range=[lengths[0] - 0.4, lengths[-1] + 0.4], zeroline=False),
        axis("reversed without an error", range=[-0.04, 1.06], tickformat=".0%", zeroline=False),
        top=30,
    )
