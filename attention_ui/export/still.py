"""One frame of a picture as a figure to keep: its heatmaps in rows, with its plane, and below them its graphs."""

import math
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

import plotly.graph_objects as go
from torch import Tensor

from attention_ui.figures.style import FONT, axis
from attention_ui.numbers import short
from attention_ui.palette import AVERAGE, POINTS, PREDICTION, QUERY, REFERENCE, SEQUENTIAL, TRUTH
from attention_ui.pictures import Axis, Curve, Graph, Heatmap, Line, Names, Picture, Plane

COLOURS = {
    "prediction": PREDICTION, "reference": REFERENCE, "truth": TRUTH, "average": AVERAGE, "points": POINTS,
    "query": QUERY,
}  # fmt: skip
DASHES = {"reference": "dash", "truth": "dot", "average": "dashdot"}  # never told by colour alone
SYMBOLS = {"reference": "square-open", "query": "diamond"}
MOST_ACROSS = 4  # pictures in a row where the picture does not say
MOST_ACROSS_ALL, MOST_DOWN = 40, 12  # labels over the whole width, and down a row; of more only some are written
LETTERS = 130  # of a title, were it as wide as the figure
ROW, ONE, CURVE = 340, 460, 500  # pixels of a row, with the room for titles, and of one that stands alone
ACROSS, DOWN = 0.07, 0.22  # of the room of one picture, for its labels and its title
BAR = 0.09  # of the width, for every further colour bar
LEGEND = {"orientation": "h", "y": -0.02, "yanchor": "top", "x": 0, "font": FONT}


class Scaled(NamedTuple):
    """A heatmap with what its picture says about it."""

    panel: Heatmap
    names: Names
    colours: str  # the axis of its colours


class Box(NamedTuple):
    """Where a picture stands, in parts of the whole figure, and the number of its axes."""

    x: tuple[float, float]
    y: tuple[float, float]
    number: int


Item = Scaled | Plane | Graph | Curve


def still(*shown: Picture, frame: int = 0) -> go.Figure:
    """Pictures as they stand at this frame; of several, each has its own scale, and their panels stand in turn."""
    figure, rows = go.Figure(), _rows(shown)
    for box, item in _placed(rows):
        if isinstance(item, Scaled):
            _add_panel(figure, box, item, frame)
        elif isinstance(item, Plane):
            _add_plane(figure, box, item, frame)
        elif isinstance(item, Curve):
            _add_curve(figure, box, item, frame)
        else:
            _add_graph(figure, box, item, frame)
    for number, picture in enumerate(shown):
        low, high, _ = picture.scale()
        bar = {"title": {"text": picture.names.cell, "side": "right"}, "tickfont": FONT, "thickness": 14}
        bar["x"] = 1.01 + BAR * number
        figure.layout[_colours(number)] = {"colorscale": SEQUENTIAL, "cmin": low, "cmax": high, "colorbar": bar}
    named = any(trace.showlegend for trace in figure.data)
    figure.update_layout(
        margin={"l": 20, "r": 8, "t": 8, "b": 40 if named else 8},
        width=1200,
        height=60 + (ROW * len(rows) if len(rows) > 1 else CURVE if isinstance(rows[0][0], Curve) else ONE),
        legend=LEGEND,
    )
    return figure


def _colours(number: int) -> str:
    return f"coloraxis{number + 1 if number else ''}"


def _rows(shown: Sequence[Picture]) -> list[list[Item]]:
    """A curve, heatmaps and the plane, so many in a row, then all graphs in one."""
    curves = [panel for each in shown for panel in each.panels if isinstance(panel, Curve)]
    scaled = [[Scaled(p, each.names, _colours(n)) for p in each.heatmaps] for n, each in enumerate(shown)]
    planes, graphs = [each.plane for each in shown if each.plane], [graph for each in shown for graph in each.graphs]
    pictures: list[Item] = [*curves, *chain(*zip(*scaled, strict=True)), *planes]
    if graphs and not curves and len(pictures) + len(graphs) <= MOST_ACROSS:
        return [[*pictures, *graphs]]
    across = shown[0].across or min(len(pictures), MOST_ACROSS)
    rows = [pictures[start : start + across] for start in range(0, len(pictures), across)]
    return [*rows, list(graphs)] if graphs else rows


def _placed(rows: Sequence[Sequence[Item]]) -> list[tuple[Box, Item]]:
    """Every picture with its box: rows from the top, each shared out evenly."""
    placed: list[tuple[Box, Item]] = []
    for r, row in enumerate(rows):
        top, bottom, share = 1 - r / len(rows), 1 - (r + 1) / len(rows), 1 / len(row)
        for i, item in enumerate(row):
            x = (i + min(ACROSS * len(row), 0.25)) * share, (i + 1) * share
            y = bottom + DOWN / len(rows), top - 0.5 * DOWN / len(rows)
            placed.append((Box(x, y, len(placed) + 1), item))
    return placed


def _add_panel(figure: go.Figure, box: Box, item: Scaled, frame: int) -> None:
    panel, names = item.panel, item.names
    rows, columns = _texts(panel.rows), _texts(panel.columns)
    cells, masks = panel.cells(), panel.masks()
    shown = cells[frame % len(cells)].double()
    if masks is not None:  # what may not be looked at stays empty
        shown = shown.masked_fill(masks[frame % len(masks)], math.nan)
    figure.add_heatmap(
        z=[[None if math.isnan(cell) else cell for cell in row] for row in shown.tolist()],
        customdata=[[[row, column] for column in columns] for row in rows],
        hovertemplate=f"{names.row} %{{customdata[0]}}<br>{names.column} %{{customdata[1]}}<br>"
        f"{names.cell} %{{z:.4f}}<extra></extra>",
        coloraxis=item.colours,
        name=panel.title,
        **_axes(box),
    )
    title = panel.title + (f": {panel.notes[frame % len(panel.notes)]}" if panel.notes else "")
    title = title if len(title) <= LETTERS * (box.x[1] - box.x[0]) else panel.title
    quiet = {"showgrid": False, "zeroline": False}
    across = axis(names.columns, **_labels(columns, int(MOST_ACROSS_ALL * (box.x[1] - box.x[0]))), **quiet)
    down = axis(names.rows, **_labels(rows, MOST_DOWN), **quiet, autorange="reversed")
    _finish(figure, box, title, across, down)


def _labels(texts: Sequence[str], most: int) -> dict[str, Any]:
    """The labels at whole numbers: an axis of categories would put equal symbols into one place."""
    # Numbers that grow can be counted on from their neighbours; words and symbols are all needed, if they find room.
    stride = math.ceil(len(texts) / (most if _grow(texts) else 3 * most))
    return {"tickvals": list(range(0, len(texts), stride)), "ticktext": list(map(_literal, texts[::stride]))}


def _texts(side: Sequence[str] | Tensor) -> list[str]:
    """The labels of one side of a heatmap in words."""
    return [short(number) for number in side.tolist()] if isinstance(side, Tensor) else list(side)


def _grow(texts: Sequence[str]) -> bool:
    """Whether the labels are numbers, each larger than the one before."""
    try:
        return all(float(one) < float(next_one) for one, next_one in pairwise(texts))
    except ValueError:
        return False


def _literal(text: str) -> str:
    """A label may be a user's own word: plotly would take <b> and <a> for its own."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _add_plane(figure: go.Figure, box: Box, plane: Plane, frame: int) -> None:
    turns = [2 * math.pi * step / 90 for step in range(91)]
    figure.add_scatter(
        x=list(map(math.cos, turns)), y=list(map(math.sin, turns)), mode="lines", line={"color": POINTS, "width": 1},
        hoverinfo="skip", name="circle", showlegend=False, **_axes(box),
    )  # fmt: skip
    for points in plane.groups:
        places = points.places[frame % len(points.places)]  # (P, 2)
        figure.add_scatter(
            x=places[:, 0].tolist(), y=places[:, 1].tolist(), text=list(points.labels), mode="markers+text",
            marker={"color": COLOURS[points.role], "size": 11, "symbol": SYMBOLS.get(points.role, "circle")},
            textposition="top center", textfont=FONT, cliponaxis=False, name=points.name, showlegend=False,
            **_axes(box),
        )  # fmt: skip
    reach = plane.reach
    x = axis("cosine", range=[-reach, reach])
    _finish(figure, box, plane.title, x, axis("sine", range=[-reach, reach], scaleanchor=f"x{box.number}"))


def _add_graph(figure: go.Figure, box: Box, graph: Graph, frame: int) -> None:
    known = {trace.name for trace in figure.data if trace.showlegend}
    for trace in graph.traces:
        figure.add_scatter(
            x=trace.x.tolist(), y=trace.y.tolist(), mode="markers" if trace.role == "points" else "lines",
            line={"color": COLOURS[trace.role], "width": 2.5, "dash": DASHES.get(trace.role, "solid")},
            marker={"color": COLOURS[trace.role], "size": 6}, name=trace.name, **_axes(box),
            showlegend=len(graph.traces) > 1 and trace.name not in known,
        )  # fmt: skip
    if len(graph.ball[0]):
        x, y = (place[frame % len(place)].item() for place in graph.ball)
        now = {"color": QUERY, "size": 11, "symbol": "diamond"}
        figure.add_scatter(x=[x], y=[y], mode="markers", name="now", marker=now, showlegend=False, **_axes(box))
    _finish(figure, box, graph.title, _scale(graph.x), _scale(graph.y))


def _add_curve(figure: go.Figure, box: Box, curve: Curve, frame: int) -> None:
    x, y = (column.tolist() for column in curve.samples)
    marker = {"color": POINTS, "size": 7, "opacity": 0.7}
    figure.add_scatter(x=x, y=y, mode="markers", name="Points", marker=marker, showlegend=True, **_axes(box))
    prediction = Line("Prediction", "prediction", curve.values[frame % len(curve.values)])
    for line in (*curve.lines, prediction):
        drawn = {"color": COLOURS[line.role], "dash": DASHES.get(line.role, "solid"), "simplify": False}
        drawn["width"] = 4 if line is prediction else 2
        figure.add_scatter(
            x=curve.fine.tolist(), y=line.values.tolist(), mode="lines", name=line.name, line=drawn, showlegend=True,
            **_axes(box),
        )  # fmt: skip
    _finish(figure, box, "Data and prediction", _scale(curve.x), _scale(curve.y))


def _scale(measured: Axis) -> dict[str, Any]:
    ends = [measured.low, measured.high]
    if measured.log:
        return axis(measured.label, type="log", dtick=1, range=[math.log10(end) for end in ends])
    return axis(measured.label, range=ends)


def _axes(box: Box) -> dict[str, str]:
    return {"xaxis": f"x{box.number}", "yaxis": f"y{box.number}"}


def _finish(figure: go.Figure, box: Box, title: str, x: dict[str, Any], y: dict[str, Any]) -> None:
    """Put the axes where the box is, and the title above it."""
    x = {**x, "title": {**x["title"], "standoff": 6}}
    figure.layout[f"xaxis{box.number}"] = {**x, "domain": list(box.x), "anchor": f"y{box.number}"}
    figure.layout[f"yaxis{box.number}"] = {**y, "domain": list(box.y), "anchor": f"x{box.number}"}
    figure.add_annotation(
        text=_literal(title), x=box.x[0], y=box.y[1], xref="paper", yref="paper", xanchor="left", yanchor="bottom",
        showarrow=False, font={**FONT, "weight": "bold"},
    )  # fmt: skip
