"""A figure for use outside Streamlit: the light theme's colours in place of the stand-ins, and a title."""

from typing import Any

import plotly.graph_objects as go

from attention_ui.export.style import escaped
from attention_ui.palette import theme

TITLE = {"x": 0.01, "xanchor": "left", "y": 0.98, "yanchor": "top", "yref": "container", "font": {"size": 20}}
TITLE_ROOM = 44  # above what else stands on top of a figure
_TOP = {"colorbar": {"title": {"side": "top"}}}
GRID = "#dde3ea"


def standalone(figure: go.Figure, title: str = "") -> go.Figure:
    """The figure in the colours of the light theme, with a title where it has none of its own."""
    colours = theme("light")
    slots = [*colours["chartCategoricalColors"], *colours["chartSequentialColors"], *colours["chartDivergingColors"]]
    named = {f"#{slot:06d}": colour for slot, colour in enumerate(slots, 1)}
    own = go.Figure(_replaced(figure.to_plotly_json(), named), _validate=False)  # it is one already
    own.update_layout(template=_template(), paper_bgcolor=colours["backgroundColor"])
    _raise_bar_titles(own)
    if title and own.layout.title.text is None:
        top = 60 if own.layout.margin.t is None else own.layout.margin.t
        own.update_layout(title={**TITLE, "text": escaped(title), "font": {"size": 20}}, margin={"t": top + TITLE_ROOM})
    return own


def _raise_bar_titles(figure: go.Figure) -> None:
    """Put the name of a colour bar over it: beside it, plotly lets it run into the numbers of a large picture."""
    figure.update_layout({name: _TOP for name in figure.layout.to_plotly_json() if name.startswith("coloraxis")})
    figure.update_traces(colorbar_title_side="top", selector={"type": "heatmap"})


def _replaced(part: Any, named: dict[str, str]) -> Any:
    """The same structure with every stand-in replaced by its colour."""
    if isinstance(part, dict):
        return {name: _replaced(value, named) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_replaced(value, named) for value in part]
    return named.get(part, part) if isinstance(part, str) else part


def _template() -> dict[str, Any]:
    """What Streamlit gives to every figure by itself: type, quiet grid lines, colours for what names none."""
    colours = theme("light")
    sequential = colours["chartSequentialColors"]
    scale = [[step / (len(sequential) - 1), colour] for step, colour in enumerate(sequential)]
    lines = {"gridcolor": GRID, "zerolinecolor": GRID, "linecolor": GRID, "automargin": True, "ticks": ""}
    return {
        "layout": {
            "font": {
                "family": "Source Sans Pro, Segoe UI, Arial, sans-serif",
                "size": 14,
                "color": colours["textColor"],
            },
            "colorway": colours["chartCategoricalColors"],
            "colorscale": {"sequential": scale},
            "coloraxis": {"colorscale": scale},
            "plot_bgcolor": colours["backgroundColor"],
            "xaxis": lines,
            "yaxis": lines,
            "hovermode": "closest",
        }
    }
