"""Pictures of the exercises: curves, lines, bars and maps, told apart by dash, mark and hatching as well as colour."""

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots
from torch import Tensor

from attention_ui.figures.style import FONT, MARGIN, axis, finish
from attention_ui.figures.ticks import log_ticks
from attention_ui.numbers import short
from attention_ui.palette import AVERAGE, POINTS, PREDICTION, QUERY, REFERENCE, SEQUENTIAL, TRUTH

TOP = 34  # pixels above a picture, for its legend
STYLES = (
    {"color": PREDICTION, "dash": "solid", "width": 4},
    {"color": REFERENCE, "dash": "dash", "width": 3},
    {"color": AVERAGE, "dash": "dashdot", "width": 3},
    {"color": POINTS, "dash": "dot", "width": 2},
    {"color": QUERY, "dash": "longdash", "width": 2},
)
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x")
LABELLED = ((1.0, "right"), (0.0, "left"), (0.5, "center"))  # apart, since levels may lie close together
HATCHED = ("", "/", "x", ".")


def curves(seen: tuple[Tensor, Tensor], queries: Tensor, truth: Tensor, predicted: Mapping[str, Tensor]) -> go.Figure:
    """Points as circles, the truth dashed, and every prediction as a line."""
    figure = go.Figure()
    figure.add_scatter(
        x=seen[0].tolist(),
        y=seen[1].tolist(),
        mode="markers",
        name="Points",
        marker={"color": POINTS, "symbol": "circle-open", "size": 8},
        hovertemplate="x %{x:.3g}<br>y %{y:.3g}<extra></extra>",
    )
    _line(figure, "Truth", queries, truth, {"color": TRUTH, "dash": "dash", "width": 2})
    for (name, values), style in zip(predicted.items(), STYLES, strict=False):
        _line(figure, name, queries, values, style)
    return finish(figure, axis("x"), axis("y"), TOP)


def _line(figure: go.Figure, name: str, x: Tensor, y: Tensor, style: Mapping[str, object], **more: object) -> None:
    hover = f"{name}<br>%{{x:.4g}}: %{{y:.4g}}<extra></extra>"
    figure.add_scatter(
        x=x.tolist(), y=y.tolist(), name=name, line=dict(style), hovertemplate=hover, **{"mode": "lines", **more}
    )


def lines(
    x: Tensor,
    named: Mapping[str, Tensor],
    labels: tuple[str, str],
    log: str = "",
    levels: Mapping[str, float] | None = None,
    places: Mapping[str, float] | None = None,
) -> go.Figure:
    """One line for each name over x, with levels across and places down; `log` names the log axes: "", "x" or "xy"."""
    figure = go.Figure()
    few = len(x) <= 12
    for (name, y), style, symbol in zip(named.items(), STYLES, SYMBOLS, strict=False):
        marks = {"mode": "lines+markers", "marker": {"symbol": symbol, "size": 10}} if few else {}
        _line(figure, name, x, y, style, **marks)
    for (name, level), (x_of, anchor) in zip((levels or {}).items(), LABELLED, strict=False):
        figure.add_hline(level, line={"color": TRUTH, "dash": "dot", "width": 2})
        figure.add_annotation(
            x=x_of, xref="paper", y=level, text=f"{name} {short(level)}", showarrow=False,
            xanchor=anchor, yanchor="bottom", font=FONT,
        )  # fmt: skip
    for name, place in (places or {}).items():
        figure.add_vline(place, line={"color": QUERY, "dash": "dot", "width": 2})
        figure.add_annotation(
            x=place, y=1, yref="paper", text=f"{name} {short(place)}", showarrow=False,
            xanchor="left", yanchor="top", font=FONT,
        )  # fmt: skip
    across = _log_axis(x) if "x" in log else {"tickvals": x.tolist()} if few else {}
    every = [number for y in named.values() for number in y.tolist()]
    up = log_ticks(min(every) / 1.5, max(every) * 1.5) if "y" in log else {"rangemode": "tozero"}
    return finish(figure, axis(labels[0], **across), axis(labels[1], **up), TOP)


def _log_axis(x: Tensor) -> dict[str, object]:
    """A log axis whose ticks are the places themselves where these are few, running the way x does."""
    low, high = x.min().item(), x.max().item()
    ticks = {"type": "log", "tickvals": x.tolist(), "ticktext": [f"{each:g}" for each in x.tolist()]}
    options = ticks if len(x) <= 12 else log_ticks(low, high)
    room = 0.02 * math.log10(high / low)
    ends = [math.log10(low) - room, math.log10(high) + room]
    return {**options, "range": ends if x[0] < x[-1] else ends[::-1]}


def bars(names: Sequence[str], groups: Mapping[str, Tensor], label: str, level: float | None = None) -> go.Figure:
    """Bars side by side for each name, one colour and hatching for each group, with their numbers on top."""
    figure = go.Figure()
    for (group, heights), style, hatch in zip(groups.items(), STYLES, HATCHED, strict=False):
        figure.add_bar(
            x=list(names),
            y=heights.tolist(),
            name=group,
            marker={"color": style["color"], "pattern": {"shape": hatch}},
            text=[_height(height) for height in heights.tolist()],
            textposition="outside",
            textfont=FONT,
            cliponaxis=False,
            hovertemplate=f"%{{x}}<br>{group} %{{y:.4g}}<extra></extra>",
        )
    if level is not None:
        figure.add_hline(level, line={"color": TRUTH, "dash": "dash", "width": 2})
    several = len(groups) > 1
    tallest = max(heights.nan_to_num().max().item() for heights in groups.values()) or 1.0
    up = axis(label, range=[0, 1.12 * tallest])
    return finish(figure, axis(""), up, TOP if several else 16, showlegend=several, barmode="group")


def _height(height: float) -> str:
    """What stands on a bar; nothing on one that is not there, and no powers of ten."""
    if math.isnan(height):
        return ""
    return short(height, 2) if height == 0 or height >= 0.001 else "≈ 0"


def dots(names: Sequence[str], runs: Tensor, label: str, log: bool = False) -> go.Figure:
    """For each name one dot per run (names, runs), and a bold dash at their median, which stands below the name."""
    medians = runs.median(1).values.tolist()
    columns = [f"{name}<br>{short(median)}" for name, median in zip(names, medians, strict=True)]
    figure = go.Figure()
    figure.add_scatter(
        x=[column for column in columns for _ in range(runs.shape[1])],
        y=runs.flatten().tolist(),
        mode="markers",
        name="one data set",
        marker={"color": REFERENCE, "symbol": "circle-open", "size": 11, "line": {"width": 2}},
        hovertemplate="%{y:.4g}<extra></extra>",
    )
    figure.add_scatter(
        x=columns,
        y=medians,
        mode="markers",
        name="median",
        marker={"color": PREDICTION, "symbol": "line-ew", "size": 40, "line": {"width": 5, "color": PREDICTION}},
        hovertemplate="median %{y:.4g}<extra></extra>",
    )
    ticks = log_ticks(runs.min().item() / 1.2, runs.max().item() * 1.2) if log else {"rangemode": "tozero"}
    return finish(figure, axis("", tickangle=0), axis(label, **ticks), TOP, showlegend=True)


def maps(
    matrices: Sequence[Tensor],
    titles: Sequence[str],
    labels: tuple[str, str] = ("keys", "queries"),
    names: Sequence[str] = (),
) -> go.Figure:
    """Matrices side by side, each of its own shape, under one scale of shades from 0; names replace the numbers."""
    columns = min(len(matrices), 4)
    rows = math.ceil(len(matrices) / columns)
    figure = make_subplots(rows, columns, subplot_titles=list(titles), vertical_spacing=0.16, horizontal_spacing=0.07)
    for place, matrix in enumerate(matrices):
        row, column = divmod(place, columns)
        figure.add_heatmap(
            z=matrix.tolist(),
            coloraxis="coloraxis",
            hovertemplate="row %{y}, column %{x}: %{z:.3f}<extra></extra>",
            row=row + 1,
            col=column + 1,
        )
    top = max(matrix.max().item() for matrix in matrices)
    bar = {"tickfont": FONT, "thickness": 14, "len": 1.04}
    figure.update_layout(
        margin={**MARGIN, "t": TOP},
        coloraxis={"colorscale": SEQUENTIAL, "cmin": 0, "cmax": top, "colorbar": bar},
    )
    whole = {"dtick": 1} if max(max(matrix.shape) for matrix in matrices) <= 10 else {}  # no ticks between few cells
    plain = {"showgrid": False, "zeroline": False, "tickfont": FONT, **whole}
    figure.update_yaxes(autorange="reversed", **plain)
    figure.update_xaxes(**plain)
    figure.update_xaxes(axis(labels[0]), row=rows)
    for row in range(1, rows):  # the ticks of the last row are those of all
        figure.update_xaxes(showticklabels=False, row=row)
    figure.update_yaxes(axis(labels[1]), col=1)
    if names:
        figure.update_xaxes(tickvals=list(range(len(names))), ticktext=list(names))
        figure.update_yaxes(tickvals=list(range(len(names))), ticktext=list(names))
    figure.update_annotations(font=FONT)
    return figure


def in_words(figure: go.Figure) -> str:
    """The numbers of a picture for those who cannot see it."""
    return " ".join(f"{words}." for trace in figure.data if (words := _trace_in_words(trace)))


def _trace_in_words(trace: go.Scatter | go.Bar | go.Heatmap) -> str:
    if trace.type == "heatmap":
        cells = [cell for row in trace.z for cell in row]
        size = f"{len(trace.z)} rows and {len(trace.z[0])} columns"
        return f"A map of {size}, from {short(min(cells))} to {short(max(cells))}"
    known = [(x, y) for x, y in zip(trace.x, trace.y, strict=True) if not math.isnan(y)]
    if trace.type == "bar" or trace.name == "median":
        return f"{trace.name}: {', '.join(f'{_first_line(x)} {short(y)}' for x, y in known)}"
    if trace.mode == "markers":
        return f"{trace.name}: {len(known)} of them"
    (first, start), (last, end) = known[0], known[-1]
    return f"{trace.name}: {short(start)} at {short(first)}, {short(end)} at {short(last)}"


def _first_line(label: str) -> str:
    return label.partition("<br>")[0]
