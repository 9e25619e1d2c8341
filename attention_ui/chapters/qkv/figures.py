"""One query among its keys at rest: where they lie, what they weigh, and, if asked, many single looks."""

import plotly.graph_objects as go
from plotly.subplots import make_subplots
from torch import Tensor

from attention_core.demos.qkv import Pairs
from attention_core.pooling import Pooled
from attention_ui.figures.style import FONT, axis
from attention_ui.palette import PREDICTION, QUERY, REFERENCE

LARGEST = 46  # pixels across of a key with all the weight; its area is its weight
SMALLEST = 7


def asked_figure(pairs: Pairs, query: tuple[float, ...], answer: Pooled, looks: go.Figure | None = None) -> go.Figure:
    """The keys, sized by weight, round the query; their weights as bars; below them the looks, where there are any."""
    where = "Keys and values" if len(query) == 1 else "Keys in the plane"
    specs = [[{}, {}], *([[{"colspan": 2}, None]] if looks else [])]
    titles = [where, "Weights", *(["One look at a time"] if looks else [])]
    figure = make_subplots(len(specs), 2, specs=specs, subplot_titles=titles, column_widths=[3, 2])
    (_add_line if len(query) == 1 else _add_plane)(figure, pairs, query, answer)
    _add_bars(figure, pairs.names, answer.weights)
    if looks:
        for trace in looks.data:
            figure.add_trace(trace, row=2, col=1)
        figure.update_xaxes(looks.layout.xaxis.to_plotly_json(), row=2, col=1)
        figure.update_yaxes(looks.layout.yaxis.to_plotly_json(), row=2, col=1)
    legend = {"orientation": "h", "y": -0.12 if looks else -0.16, "yanchor": "top", "x": 0, "font": FONT}
    margin = {"l": 64, "r": 16, "t": 44, "b": 110}
    figure.update_layout(legend=legend, margin=margin, height=860 if looks else 540)
    figure.update_annotations(font=FONT)
    return figure


def _add_line(figure: go.Figure, pairs: Pairs, query: tuple[float, ...], answer: Pooled) -> None:
    """Keys across and values up, as in a regression; the output stands where the query is."""
    places = pairs.keys[:, 0].tolist()
    _add_keys(figure, pairs, places, pairs.values.tolist(), answer.weights)
    figure.add_scatter(
        x=[query[0], query[0]], y=[0, 100], mode="lines", name="Query",
        line={"color": QUERY, "width": 3, "dash": "dash"}, row=1, col=1,
    )  # fmt: skip
    figure.add_scatter(
        x=list(query), y=[answer.output.item()], mode="markers", name=f"Output {answer.output.item():.4f}",
        marker={"color": PREDICTION, "symbol": "diamond", "size": 14}, row=1, col=1,
    )  # fmt: skip
    figure.update_xaxes(axis("key", range=[0, 8]), row=1, col=1)
    figure.update_yaxes(axis("value", range=[0, 118]), row=1, col=1)


def _add_plane(figure: go.Figure, pairs: Pairs, query: tuple[float, ...], answer: Pooled) -> None:
    """Keys where they lie; the output is said beside the query."""
    _add_keys(figure, pairs, pairs.keys[:, 0].tolist(), pairs.keys[:, 1].tolist(), answer.weights)
    figure.add_scatter(
        x=[query[0]], y=[query[1]], mode="markers", name=f"Query, output {answer.output.item():.4f}",
        marker={"color": QUERY, "symbol": "diamond", "size": 16}, row=1, col=1,
    )  # fmt: skip
    figure.update_xaxes(axis("first coordinate", range=[0, 8]), row=1, col=1)
    figure.update_yaxes(axis("second coordinate", range=[0, 4.6]), row=1, col=1)


def _add_keys(figure: go.Figure, pairs: Pairs, x: list[float], y: list[float], weights: Tensor) -> None:
    sizes = (LARGEST * weights.sqrt()).clamp(min=SMALLEST).tolist()
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers+text",
        name="Keys, by weight",
        text=[f"{name} {value:g}" for name, value in zip(pairs.names, pairs.values.tolist(), strict=True)],
        textposition="top center",
        textfont=FONT,
        marker={"color": REFERENCE, "size": sizes, "opacity": 0.75},
        customdata=weights.tolist(),
        hovertemplate="%{text}<br>weight %{customdata:.6f}<extra></extra>",
        row=1,
        col=1,
    )


def _add_bars(figure: go.Figure, names: tuple[str, ...], weights: Tensor) -> None:
    figure.add_bar(
        x=list(names),
        y=weights.tolist(),
        text=[f"{weight:.3f}" for weight in weights.tolist()],
        textposition="outside",
        textfont=FONT,
        cliponaxis=False,
        marker={"color": REFERENCE},
        hovertemplate="%{x}<br>weight %{y:.6f}<extra></extra>",
        showlegend=False,
        row=1,
        col=2,
    )
    figure.update_xaxes(axis("pair"), row=1, col=2)
    figure.update_yaxes(axis("weight", range=[0, 1.08]), row=1, col=2)
