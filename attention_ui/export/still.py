"""One frame of a picture as a figure to keep: its panels in rows, and below them its graphs."""

import math
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

import plotly.graph_objects as go
from torch import Tensor

from attention_ui.export.style import FONT, axis, escaped
from attention_ui.export.ticks import log_ticks
from attention_ui.numbers import short, two
from attention_ui.palette import AVERAGE, INK, POINTS, PREDICTION, QUERY, REFERENCE, TRUTH, shades
from attention_ui.pictures.curve import Curve, Line
from attention_ui.pictures.graph import Axis, Graph, Moving, Trace
from attention_ui.pictures.heatmap import Heatmap, Names, Written
from attention_ui.pictures.picture import Picture
from attention_ui.pictures.plane import Plane
from attention_ui.pictures.table import Table

COLOURS = {
    "prediction": PREDICTION, "reference": REFERENCE, "truth": TRUTH, "average": AVERAGE, "points": POINTS,
    "query": QUERY, "ink": INK,
}  # fmt: skip
DASHES = {  # never told by colour alone
    "reference": "dash", "truth": "dot", "average": "dashdot", "ink": "longdash", "query": "longdashdot",
}  # fmt: skip
SIGNS = {"up": "triangle-up", "down": "triangle-down", "dash": "line-ew"}  # others have the same names
SYMBOLS = {"reference": "square-open", "query": "diamond"}
MOST_ACROSS = 4  # pictures in a row where the picture does not say
MOST_ACROSS_ALL, MOST_DOWN = 40, 12  # labels over the whole width, and down a row; of more only some are written
LETTERS = 130  # of a title, were it as wide as the figure
ROW, ONE, CURVE = 340, 460, 500  # pixels of a row, with the room for titles, and of one that stands alone
ACROSS, DOWN = 0.07, 0.22  # of the room of one picture, for its labels and its title
LETTER = 0.0065  # of the width, for a letter beside the rows of a heatmap
BAR = 0.09  # of the width, for every further colour bar
HIDDEN = "×"  # instead of the number of a hatched cell
LEGEND = {"orientation": "h", "y": -0.02, "yanchor": "top", "x": 0, "font": FONT}


class Scaled(NamedTuple):
    """A heatmap with what its picture says about it."""

    panel: Heatmap
    names: Names
    colours: str  # the axis of its colours
    numbers: bool  # whether its cells are written out


class Box(NamedTuple):
    """Where a picture stands, in parts of the whole figure, and the number of its axes."""

    x: tuple[float, float]
    y: tuple[float, float]
    number: int


Item = Scaled | Plane | Graph | Curve


def still(*shown: Picture, frame: int = 0, numbers: bool = False) -> go.Figure:
    """Pictures as they stand at this frame, with numbers in the cells of their heatmaps if asked for.

    Of several pictures each has its own scale, and their panels stand in turn.
    """
    figure, rows = go.Figure(_validate=False), _rows(shown, numbers)  # plotly would look at every cell, four times
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
        figure.layout[_colours(number)] = _colour_scale(picture, 1.01 + BAR * number)
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


def _colour_scale(picture: Picture, x: float) -> dict[str, Any]:
    """The picture's colours with a bar at x, or without one where cells have no name."""
    (low, high, _), cell = picture.scale(), picture.names.cell
    bar = {"title": {"text": cell, "side": "right"}, "tickfont": FONT, "thickness": 14, "x": x}
    return {
        "colorscale": shades(low, high).colours,
        "cmin": low,
        "cmax": high,
        "colorbar": bar,
        "showscale": bool(cell),
    }


def _rows(shown: Sequence[Picture], numbers: bool) -> list[list[Item]]:
    """The panels of all pictures in turn, so many in a row, then all graphs in one."""
    items = [_items(picture, _colours(number), numbers) for number, picture in enumerate(shown)]
    panels, graphs = list(chain(*zip(*items, strict=True))), [graph for each in shown for graph in each.graphs]
    if graphs and not (panels and isinstance(panels[0], Curve)) and len(panels) + len(graphs) <= MOST_ACROSS:
        return [[*panels, *graphs]]
    across = shown[0].across or min(len(panels), MOST_ACROSS)
    rows = [panels[start : start + across] for start in range(0, len(panels), across)]
    return [*rows, list(graphs)] if graphs else rows


def _items(picture: Picture, colours: str, numbers: bool) -> list[Item]:
    """The panels of a picture, its heatmaps with what they share."""
    return [
        Scaled(panel, picture.names, colours, numbers) if isinstance(panel, Heatmap) else panel
        for panel in picture.panels
        if not isinstance(panel, Table)
    ]


def _placed(rows: Sequence[Sequence[Item]]) -> list[tuple[Box, Item]]:
    """Every picture with its box: rows from the top, each shared out evenly."""
    placed: list[tuple[Box, Item]] = []
    for r, row in enumerate(rows):
        top, bottom, share = 1 - r / len(rows), 1 - (r + 1) / len(rows), 1 / len(row)
        for i, item in enumerate(row):
            x = (i + min(ACROSS * len(row), 0.25)) * share, (i + 1) * share - _beside(item)
            y = bottom + DOWN / len(rows), top - 0.5 * DOWN / len(rows)
            placed.append((Box(x, y, len(placed) + 1), item))
    return placed


def _beside(item: Item) -> float:
    """The part of the whole width that an item needs at its right, for the sums of its rows."""
    written = item.panel.written if isinstance(item, Scaled) else None
    return LETTER * max((len(text) + 2 for text in written.sums), default=0) if written else 0.0


def _add_panel(figure: go.Figure, box: Box, item: Scaled, frame: int) -> None:
    panel, names = item.panel, item.names
    rows, columns = _texts(panel.rows), _texts(panel.columns)
    if not rows:  # its place stays empty
        return
    cells, masks = panel.cells(), panel.masks()
    shown, hidden = cells[frame % len(cells)].double(), None if masks is None else masks[frame % len(masks)]
    if item.numbers:
        _add_numbers(figure, box, item, panel.written or _written(shown, hidden, rows, columns), shown)
    else:
        _add_shades(figure, box, item, shown if hidden is None else shown.masked_fill(hidden, math.nan))
    quiet = {"showgrid": False, "zeroline": False}
    across = axis(names.columns, **_labels(columns, int(MOST_ACROSS_ALL * (box.x[1] - box.x[0]))), **quiet)
    down = axis(names.rows, **_labels(rows, MOST_DOWN), **quiet, autorange="reversed")
    _finish(figure, box, _title(item, box, frame), across, down)


def _add_shades(figure: go.Figure, box: Box, item: Scaled, shown: Tensor) -> None:
    """A heatmap (Q, K) without numbers; what may not be looked at is nan, and stays empty."""
    panel, names = item.panel, item.names
    rows, columns = _texts(panel.rows), _texts(panel.columns)
    figure.add_heatmap(
        _validate=False,
        z=[[None if math.isnan(cell) else cell for cell in row] for row in shown.tolist()],
        customdata=[[[row, column] for column in columns] for row in rows],
        hovertemplate=f"{names.row} %{{customdata[0]}}<br>{names.column} %{{customdata[1]}}<br>"
        f"{names.cell} %{{z:.4f}}<extra></extra>",
        coloraxis=item.colours,
        name=panel.title,
        **_axes(box),
    )


def _add_numbers(figure: go.Figure, box: Box, item: Scaled, written: Written, shown: Tensor) -> None:
    """A heatmap (Q, K) with texts in its cells, and its sums at its right edge."""
    figure.add_heatmap(
        _validate=False, z=shown.tolist(), text=written.texts, texttemplate="%{text}", hovertext=written.tips,
        hoverinfo="text", coloraxis=item.colours, xgap=1, ygap=1, name=item.panel.title, **_axes(box),
    )  # fmt: skip
    for row, total in enumerate(written.sums):
        figure.add_annotation(
            x=shown.shape[1] - 0.45, y=row, text=total, showarrow=False, xanchor="left", font=FONT,
            xref=f"x{box.number}", yref=f"y{box.number}",
        )  # fmt: skip


def _written(shown: Tensor, hidden: Tensor | None, rows: Sequence[str], columns: Sequence[str]) -> Written:
    """Two decimals in every cell, a cross in those that are hidden; a pointer reads all digits."""
    numbers = shown.tolist()
    texts = [[two(number) for number in line] for line in numbers]
    for i, j in hidden.nonzero().tolist() if hidden is not None else ():
        texts[i][j] = HIDDEN
    tips = [
        [f"{escaped(row)}, {escaped(column)}: {number!r}" for column, number in zip(columns, line, strict=True)]
        for row, line in zip(rows, numbers, strict=True)
    ]
    return Written(texts, tips)


def _title(item: Scaled, box: Box, frame: int) -> str:
    """The title of a heatmap, with its note beside it or, above numbers, in a line of its own, where it fits."""
    title, notes = item.panel.title, item.panel.notes
    if not notes:
        return title
    note, letters = notes[frame % len(notes)], LETTERS * (box.x[1] - box.x[0])
    if len(title) + len(note) + 2 <= letters:
        return f"{title}: {note}"
    return f"{title}\n{note}" if item.numbers and len(note) <= 1.2 * letters else title  # a long line may be tight


def _labels(texts: Sequence[str], most: int) -> dict[str, Any]:
    """The labels at whole numbers: an axis of categories would put equal symbols into one place."""
    # Numbers that grow can be counted on from their neighbours; words and symbols are all needed, if they find room.
    stride = math.ceil(len(texts) / (most if _grow(texts) else 3 * most))
    return {"tickvals": list(range(0, len(texts), stride)), "ticktext": list(map(escaped, texts[::stride]))}


def _texts(side: Sequence[str] | Tensor) -> list[str]:
    """The labels of one side of a heatmap in words."""
    return [short(number) for number in side.tolist()] if isinstance(side, Tensor) else list(side)


def _grow(texts: Sequence[str]) -> bool:
    """Whether the labels are numbers, each larger than the one before."""
    try:
        return all(float(one) < float(next_one) for one, next_one in pairwise(texts))
    except ValueError:
        return False


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
    x, y = (axis(name, range=[-reach, reach]) for name in plane.axes)
    _finish(figure, box, plane.title, x, {**y, "scaleanchor": f"x{box.number}"})


def _add_graph(figure: go.Figure, box: Box, graph: Graph, frame: int) -> None:
    known = {trace.name for trace in figure.data if trace.showlegend}
    lines = [*graph.traces, *(_at(part, frame) for part in graph.moving if part.kind == "line")]
    for trace in lines:
        shown = len(lines) > 1 and not trace.ghost and trace.name not in known
        figure.add_trace({**_drawn(trace), "name": trace.name, "showlegend": shown, **_axes(box)})
    if graph.upright:
        at, over = graph.upright.x, {"xref": f"x{box.number}", "yref": "paper"}
        upright = {"color": QUERY, "dash": "dot", "width": 2}
        figure.add_shape(type="line", x0=at, x1=at, y0=box.y[0], y1=box.y[1], line=upright, **over)
        name, far = escaped(graph.upright.name), at > (graph.x.low + graph.x.high) / 2
        figure.add_annotation(
            text=name, x=math.log10(at) if graph.x.log else at, y=box.y[1], xanchor="right" if far else "left",
            yanchor="top", showarrow=False, font=FONT, **over,
        )  # fmt: skip
    if graph.ball and len(graph.ball[0]):
        x, y = (place[frame % len(place)].item() for place in graph.ball)
        now = {"color": QUERY, "size": 11, "symbol": "diamond"}
        figure.add_scatter(x=[x], y=[y], mode="markers", name="now", marker=now, showlegend=False, **_axes(box))
    if graph.marks:
        names, across, up, signs = zip(*(mark[:4] for mark in graph.marks), strict=True)
        figure.add_scatter(
            x=across, y=up, text=names, mode="markers+text", textposition="top center", textfont=FONT, cliponaxis=False,
            marker={"color": POINTS, "size": 9, "symbol": signs}, name="marks", showlegend=False, **_axes(box),
        )  # fmt: skip
    _finish(figure, box, graph.title, _scale(graph.x), _scale(graph.y))


def _drawn(trace: Trace) -> dict[str, Any]:
    """The trace as plotly draws it."""
    made = _bars(trace) if trace.kind == "bars" else _line(trace)
    return {"x": trace.x.tolist(), "y": trace.y.tolist(), **made}


def _bars(trace: Trace) -> dict[str, Any]:
    return {
        "type": "bar", "base": None if trace.base is None else trace.base.tolist(), "width": trace.wide,
        "marker": {"color": COLOURS[trace.role], "pattern": {"shape": trace.hatch}},
        "text": list(trace.texts), "textposition": "outside" if trace.texts else "none", "textfont": FONT,
        "cliponaxis": False,
    }  # fmt: skip


def _line(trace: Trace) -> dict[str, Any]:
    """A line, circles, or either with signs."""
    colour, mode = COLOURS[trace.role], "markers" if trace.role == "points" else "lines"
    marker: dict[str, Any] = {"color": colour, "size": 6}
    if trace.sign:
        mode = "markers" if trace.kind == "signs" else "lines+markers"
        marker |= {"size": 10, "symbol": SIGNS.get(trace.sign, trace.sign)}
    if trace.sign == "dash":
        marker |= {"size": 28, "line": {"width": 5, "color": colour}}
    line = {"color": colour, "width": 2.5, "dash": DASHES.get(trace.role, "solid")}
    return {"type": "scatter", "mode": mode, "line": line, "marker": marker}


def _at(part: Moving, frame: int) -> Trace:
    """A line that moves, as it stands at this frame."""
    x = part.x if part.x.ndim == 1 else part.x[frame % len(part.x)]
    return Trace(part.name, part.role, x, part.y[frame % len(part.y)])


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
    options: dict[str, Any] = {"range": [math.log10(end) for end in ends] if measured.log else ends}
    options |= log_ticks(*sorted(ends)) if measured.log else {}
    if measured.ticks:
        places, texts = zip(*measured.ticks, strict=True)
        options |= {"tickvals": places, "ticktext": [escaped(text).replace("\n", "<br>") for text in texts]}
    return axis(measured.label, **options)


def _axes(box: Box) -> dict[str, str]:
    return {"xaxis": f"x{box.number}", "yaxis": f"y{box.number}"}


def _finish(figure: go.Figure, box: Box, title: str, x: dict[str, Any], y: dict[str, Any]) -> None:
    """Put the axes where the box is, and the title above it."""
    x = {**x, "title": {**x["title"], "standoff": 6}}
    figure.layout[f"xaxis{box.number}"] = {**x, "domain": list(box.x), "anchor": f"y{box.number}"}
    figure.layout[f"yaxis{box.number}"] = {**y, "domain": list(box.y), "anchor": f"x{box.number}"}
    figure.add_annotation(
        text=escaped(title).replace("\n", "<br>"), x=box.x[0], y=box.y[1], xref="paper", yref="paper",
        xanchor="left", yanchor="bottom", align="left", showarrow=False, font={**FONT, "weight": "bold"},
    )  # fmt: skip
