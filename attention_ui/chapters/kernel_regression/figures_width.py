"""Choosing a width: the leave-one-out error over it, bias against variance, and the error as data grow."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go
import torch
from torch import Tensor

from attention_core.regression.bias_variance import BiasVariance
from attention_core.regression.loo_curve import LooCurve, Mark
from attention_core.regression.more_data import Point
from attention_ui.figures.style import FONT, MARGIN, Axis, axis, finish
from attention_ui.figures.ticks import log_ticks
from attention_ui.palette import AVERAGE, PREDICTION, QUERY, REFERENCE, TRUTH

RING = "circle-open"  # around whichever mark it meets
# A label and a symbol for every mark, a label, a dash and a symbol for every rule: nothing is told by colour alone.
MARKS = {
    "leave_one_out": ("Leave-one-out", TRUTH, "star"),
    "silverman": ("Silverman", REFERENCE, "square"),
    "scott": ("Scott", AVERAGE, "diamond"),
    "current": ("Current", QUERY, RING),
}
RULES = {
    "fixed": ("Fixed width", REFERENCE, "dash", "square"),
    "rule_of_thumb": ("Rule of thumb", AVERAGE, "dot", "diamond"),
    "leave_one_out": ("Leave-one-out", PREDICTION, "solid", "circle"),
}
LABELS = 0.45  # of the curve's height, above it, for the names of the marks
STEEP = 10.0  # from this ratio of largest to smallest error on, the axis counts powers of ten


def loo_figure(curve: LooCurve) -> go.Figure:
    """Leave-one-out error over the width, log axis, with every usual choice marked and named on the curve."""
    figure = go.Figure(
        go.Scatter(
            x=curve.widths.tolist(),
            y=curve.losses.tolist(),
            mode="lines",
            name="Leave-one-out error",
            line={"color": PREDICTION, "width": 3},
            hovertemplate="width %{x:.4g}<br>leave-one-out error %{y:.4g}<extra></extra>",
        )
    )
    for name, mark in curve.marks.items():
        label, colour, symbol = MARKS[name]
        figure.add_scatter(
            x=[mark.width],
            y=[mark.loss],
            mode="markers",
            name=label,
            marker={
                "color": colour,
                "symbol": symbol,
                "size": 22 if symbol == RING else 14,
                "line": {"width": 3 if symbol == RING else 1},
            },
            hovertemplate=f"{label}<br>width %{{x:.4g}}<br>leave-one-out error %{{y:.4g}}<extra></extra>",
        )
    return _with_labels(figure, curve)


def _with_labels(figure: go.Figure, curve: LooCurve) -> go.Figure:
    """Every mark's name and width above the curve, each at a height of its own, on a line down to its mark."""
    widths, losses = curve.widths.tolist(), curve.losses.tolist()
    steep = min(losses) > 0 and max(losses) / min(losses) > STEEP
    scale = math.log10 if steep else float
    bottom, top = scale(min(losses)), scale(max(losses))
    height = (top - bottom) or 1.0
    turn = _turn(curve.marks, min(widths), max(widths))
    for level, name in enumerate(_label_order(curve.marks, turn)):
        above = top + height * LABELS * (1 - level / len(curve.marks))
        figure.add_annotation(_label(MARKS[name][0], curve.marks[name], scale(curve.marks[name].loss), above, turn))
    x_range = [math.log10(min(widths)) - 0.05, math.log10(max(widths)) + 0.05]
    y_range = [bottom - 0.12 * height, top + (LABELS + 0.1) * height]
    y_ticks = log_ticks(min(losses), max(losses)) if steep else {}
    figure.update_layout(
        margin=MARGIN,
        showlegend=False,
        xaxis=axis("width", range=x_range, **log_ticks(min(widths), max(widths))),
        yaxis=axis("leave-one-out error", range=y_range, **y_ticks),
    )
    return figure


def _turn(marks: dict[str, Mark], low: float, high: float) -> float:
    """The width from which on labels reach to the left: none if all marks have room on their right, and so on."""
    widths = [mark.width for mark in marks.values()]
    if max(widths) <= low * (high / low) ** 0.65:
        return math.inf
    return 0.0 if min(widths) >= low * (high / low) ** 0.35 else math.sqrt(low * high)


def _label_order(marks: dict[str, Mark], turn: float) -> list[str]:
    """Ids from the highest label down: outermost first, so that no line runs through a label of its own side."""
    by_width = sorted(marks, key=lambda name: marks[name].width)
    to_the_right = [name for name in by_width if marks[name].width < turn]
    return to_the_right + [name for name in reversed(by_width) if name not in to_the_right]


def _label(label: str, mark: Mark, down: float, above: float, turn: float) -> dict[str, object]:
    """Text at height `above`, beside the top of a line down to the mark; log axes place notes by the logarithm."""
    place = math.log10(mark.width)
    text = {"text": f"{label} {mark.width:.3g}", "font": FONT, "xanchor": "left" if mark.width < turn else "right"}
    line = {"arrowhead": 0, "arrowwidth": 1, "standoff": 10}
    return {**text, **line, "x": place, "y": down, "ax": place, "axref": "x", "ay": above, "ayref": "y"}


def bias_variance_band(
    queries: Tensor, truth: Tensor, result: BiasVariance, x: Axis | None = None, y: Axis | None = None
) -> go.Figure:
    """The truth, the mean of the redrawn predictions, and the band that holds eight in ten of them."""
    x, y = x or Axis(), y or Axis("y")
    figure = go.Figure()
    _add_band(figure, queries, result)
    figure.add_scatter(
        x=queries.tolist(),
        y=truth.tolist(),
        mode="lines",
        name="Truth",
        line={"color": TRUTH, "dash": "dash", "width": 2},
        hovertemplate="truth %{y:.4g} at %{x:.4g}<extra></extra>",
    )
    figure.add_scatter(
        x=queries.tolist(),
        y=result.mean.tolist(),
        mode="lines",
        name="Mean prediction",
        line={"color": PREDICTION, "width": 4},
        customdata=torch.stack([result.low, result.high, result.squared_bias, result.variance], 1).tolist(),
        hovertemplate="query %{x:.4g}<br>mean prediction %{y:.4g}"
        "<br>8 in 10 from %{customdata[0]:.4g} to %{customdata[1]:.4g}"
        "<br>bias² %{customdata[2]:.4g}<br>variance %{customdata[3]:.4g}<extra></extra>",
    )
    x_range, y_range = ([a.low, a.high] if a.low is not None and a.high is not None else None for a in (x, y))
    return finish(figure, axis(x.label, range=x_range), axis(y.label, range=y_range), top=40)


def _add_band(figure: go.Figure, queries: Tensor, result: BiasVariance) -> None:
    """One closed shape for every run of queries that have a prediction, so that a gap stays a gap."""
    across: list[float | None] = []
    up: list[float | None] = []
    for run in _runs(result.mean.isfinite()):
        across += [*queries[run].tolist(), *queries[run].flip(0).tolist(), None]
        up += [*result.low[run].tolist(), *result.high[run].flip(0).tolist(), None]
    figure.add_scatter(
        x=across[:-1],
        y=up[:-1],
        mode="none",
        fill="toself",
        fillcolor=PREDICTION,
        opacity=0.2,  # of the trace: the colour itself must stay the stand-in that the theme replaces
        name="8 in 10 predictions",
        hoverinfo="skip",
    )


def _runs(defined: Tensor) -> list[Tensor]:
    """The positions that hold, cut where they are not neighbours."""
    places = defined.nonzero().flatten()
    cuts = (places.diff() > 1).nonzero().flatten() + 1
    return [run for run in places.tensor_split(cuts) if len(run)]


def error_over_n(points: Sequence[Point]) -> go.Figure:
    """Error against the number of samples, both log, a line per rule; draws as many points as there are so far."""
    figure = go.Figure()
    for rule, (label, colour, dash, symbol) in RULES.items():
        mine = [point for point in points if point.rule == rule]
        figure.add_scatter(
            x=[point.n for point in mine],
            y=[point.error for point in mine],
            mode="lines+markers",
            name=label,
            line={"color": colour, "dash": dash, "width": 3},
            marker={"color": colour, "symbol": symbol, "size": 11},
            customdata=[point.width for point in mine],
            hovertemplate=f"{label}<br>n = %{{x:,}}<br>error %{{y:.4g}}<br>width %{{customdata:.4g}}<extra></extra>",
        )
    sizes = sorted({point.n for point in points})
    x_ticks = {"tickvals": sizes, "ticktext": [f"{n:,}" for n in sizes]} if sizes else {}
    # Tiny errors are rounding, and a decade of them has no room for ticks: as if they were 1e-12.
    errors = [max(point.error, 1e-12) for point in points]
    y_ticks = log_ticks(min(errors) / 2, max(errors) * 2) if errors else {"type": "log"}
    up = axis("mean squared error against the truth", **y_ticks)
    return finish(figure, axis("samples n", type="log", **x_ticks), up, top=40)
