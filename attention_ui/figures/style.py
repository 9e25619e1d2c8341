"""What all figures share: type that is read from the back of a classroom, and little empty space around it."""

from typing import Any, NamedTuple

import plotly.graph_objects as go

FONT = {"size": 14}
MARGIN = {"l": 56, "r": 8, "t": 8, "b": 48}


class Axis(NamedTuple):
    """What an axis measures, and from where to where."""

    label: str = "x"
    low: float | None = None
    high: float | None = None


def escaped(text: str) -> str:
    """The text so that plotly shows it as it is: in a user's own word it would take <b> and <a> for markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def axis(title: str, **options: Any) -> dict[str, Any]:
    """An axis with a readable title and readable ticks."""
    return {"title": {"text": escaped(title), "font": FONT}, "tickfont": FONT, **options}


def finish(figure: go.Figure, x: dict[str, Any], y: dict[str, Any], top: int = 8, **layout: Any) -> go.Figure:
    """Put the axes on a figure, and its legend above it; `top` leaves room for what else stands there."""
    legend = {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "font": FONT}
    figure.update_layout(margin={**MARGIN, "t": top}, legend=legend, xaxis=x, yaxis=y, **layout)
    return figure
