"""A race between a loop and one call."""

from collections.abc import Sequence

import plotly.graph_objects as go

from attention_core.demos.batching import Race
from attention_ui.figures.style import FONT, axis, finish
from attention_ui.figures.ticks import log_ticks
from attention_ui.palette import PREDICTION, REFERENCE

# A symbol for each, so that nothing is told by colour alone.
WAYS = {"a loop of mm": (REFERENCE, "dash", "square"), "one bmm": (PREDICTION, "solid", "circle")}


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
