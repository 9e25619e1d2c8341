"""Two pictures of batches: averages as balance points, and a race between a loop and one call."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
from torch import Tensor

from attention_core.demos.batching import Race
from attention_ui.figures.style import FONT, axis, finish
from attention_ui.figures.ticks import log_ticks
from attention_ui.numbers import short
from attention_ui.palette import PREDICTION, REFERENCE

# A hatch and a symbol for each, so that nothing is told by colour alone.
BATCHES = ((REFERENCE, ""), (PREDICTION, "/"))
WAYS = {"a loop of mm": (REFERENCE, "dash", "square"), "one bmm": (PREDICTION, "solid", "circle")}
BELOW = 0.18  # of the highest bar: room for the balance points under the axis


def averages_chart(shown: Mapping[str, Tensor]) -> go.Figure:
    """Every weight over its value, and each average as the point on which its bars balance."""
    figure = go.Figure()
    weights, values = shown["weights"], shown["values"]
    highest = weights.max().item()
    for batch, (colour, hatch) in enumerate(BATCHES):
        figure.add_bar(
            x=values[batch, :, 0].tolist(),
            y=weights[batch, 0].tolist(),
            width=0.7,
            name=f"batch {batch}",
            marker={"color": colour, "pattern": {"shape": hatch}},
            hovertemplate="value %{x}<br>weight %{y:.4f}<extra></extra>",
        )
        average = shown["averages"][batch].item()
        figure.add_scatter(
            x=[average],
            y=[-BELOW * highest / 3],
            mode="markers+text",
            text=[f"<b>{short(average, 4)}</b>"],
            textposition="bottom center",
            textfont={"size": 18},
            name="average",
            marker={"color": colour, "symbol": "triangle-up", "size": 16},
            hovertemplate="average %{x:.4g}<extra></extra>",
            showlegend=False,
        )
    up = axis("weight", range=[-1.6 * BELOW * highest, 1.08 * highest], zeroline=True)
    return finish(figure, axis("value", dtick=2), up, top=40, barmode="overlay")


def race_chart(races: Sequence[Race]) -> go.Figure:
    """Milliseconds over the number of products, both log, a line for either way."""
    figure = go.Figure()
    times = {"a loop of mm": [each.loop for each in races], "one bmm": [each.batched for each in races]}
    for way, seconds in times.items():
        colour, dash, symbol = WAYS[way]
        figure.add_scatter(
            x=[each.n for each in races],
            y=[1000 * each for each in seconds],
            mode="lines+markers",
            name=way,
            line={"color": colour, "dash": dash, "width": 3},
            marker={"color": colour, "symbol": symbol, "size": 11},
            hovertemplate=f"{way}<br>%{{x:,}} products<br>%{{y:.3g}} ms<extra></extra>",
        )
    counts = [each.n for each in races]
    every = [1000 * each for seconds in times.values() for each in seconds]
    across = axis("products", type="log", tickvals=counts, ticktext=[f"{n:,}" for n in counts])
    up = axis("milliseconds", **log_ticks(min(every) / 2, max(every) * 2))
    figure.update_layout(font=FONT)
    return finish(figure, across, up, top=40)
