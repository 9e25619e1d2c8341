"""Charts that stand still, as pictures: lines, bars, dots and maps, told apart by dash, sign and hatching too."""

import math
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from attention_ui.numbers import short
from attention_ui.pictures.graph import Axis, Graph, Mark, Trace
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import QUERIES_AND_KEYS, Picture

ROLES = ("prediction", "reference", "average", "ink", "query")
SIGNS = ("circle", "square", "diamond", "up", "down")
HATCHES = ("", "/", "x", "-")
LEVELS = ("truth", "ink", "query")  # of lines across
FEW = 15  # places: each has its tick, and a sign on the line
ROOM = 0.05  # of an axis, beyond its largest number
BARS = 0.8  # of the room of a name


def lines(
    x: Tensor,
    named: Mapping[str, Tensor],
    labels: tuple[str, str],
    log: str = "",
    levels: Mapping[str, float] | None = None,
    place: tuple[str, float] | None = None,
) -> Picture:
    """One line for each name over x, levels across and a place; `log` names the log axes: "", "x" or "xy"."""
    looks = zip(named.items(), ROLES, SIGNS if len(x) <= FEW else [""] * len(ROLES), strict=False)
    traces = [Trace(name, role, x, y, sign=sign) for (name, y), role, sign in looks]
    ends = x[[0, -1]]
    for (name, level), role in zip((levels or {}).items(), LEVELS, strict=False):
        traces.append(Trace(f"{name} {short(level)}", role, ends, torch.full_like(ends, level)))
    x_axis, y_axis = _across(labels[0], x, "x" in log), _up(labels[1], traces, "y" in log)
    upright = Mark(f"{place[0]} {short(place[1])}", place[1], 0.0) if place else None
    return _alone(Graph("", x_axis, y_axis, tuple(traces), upright=upright, text=told(traces)))


def _alone(graph: Graph) -> Picture:
    """A picture of one graph, as high as the window allows."""
    return Picture((), graphs=(graph,), fills=True)


def _across(label: str, x: Tensor, log: bool) -> Axis:
    """An axis over all places, running the way they do; where they are few, each has its tick."""
    ticks = tuple((place, f"{place:,g}") for place in x.tolist()) if len(x) <= FEW else ()
    first, last = x[0].item(), x[-1].item()
    room = (last / first) ** 0.02 if log else 0.02 * (last - first)
    if not ticks:
        return Axis(label, first, last, log)
    return (
        Axis(label, first / room, last * room, log, ticks)
        if log
        else Axis(label, first - room, last + room, log, ticks)
    )


def _up(label: str, traces: Sequence[Trace], log: bool = False) -> Axis:
    """An axis that holds all numbers, and where it is even 0 as well."""
    every = torch.cat([trace.y.double() for trace in traces])
    low, high = (end.item() for end in every[every.isfinite()].aminmax())
    if log:
        return Axis(label, low / 1.5, high * 1.5, log)
    low, high = min(low, 0.0), max(high, 0.0)
    room = ROOM * (high - low) or 1.0
    return Axis(label, low - room if low else 0.0, high + room if high else 0.0)


def bars(names: Sequence[str], groups: Mapping[str, Tensor], label: str, level: float | None = None) -> Picture:
    """Bars side by side for each name, one colour and hatching for each group, with their numbers on top."""
    wide, places = BARS / len(groups), torch.arange(len(names), dtype=torch.float64)
    traces = [
        Trace(
            group, role, places + (at - (len(groups) - 1) / 2) * wide, heights, kind="bars",
            hatch=HATCHES[at], wide=0.94 * wide, texts=tuple(map(_height, heights.tolist())),
        )
        for at, ((group, heights), role) in enumerate(zip(groups.items(), ROLES, strict=False))
    ]  # fmt: skip
    x = _names(names)
    if level is not None:
        traces.append(Trace(short(level), "truth", torch.tensor([x.low, x.high]), torch.full((2,), level)))
    y = _up(label, traces)
    return _alone(Graph("", x, y._replace(high=1.04 * y.high), tuple(traces), text=told(traces, names)))


def _names(names: Sequence[str]) -> Axis:
    return Axis("", -0.5, len(names) - 0.5, ticks=tuple(enumerate(names)))


def _height(height: float) -> str:
    """What stands on a bar; nothing on one that is not there, and no powers of ten."""
    if math.isnan(height):
        return ""
    return short(height, 2) if height == 0 or abs(height) >= 0.001 else "≈ 0"


def dots(names: Sequence[str], runs: Tensor, label: str, log: bool = False) -> Picture:
    """For each name one circle per run (names, runs), and a dash at their median, which stands below the name."""
    places, medians = torch.arange(len(names), dtype=torch.float64), runs.median(1).values
    traces = (
        Trace("one data set", "points", places.repeat_interleave(runs.shape[1]), runs.flatten()),
        Trace("median", "prediction", places, medians, kind="signs", sign="dash"),
    )
    below = [f"{name}\n{short(median)}" for name, median in zip(names, medians.tolist(), strict=True)]
    return _alone(Graph("", _names(below), _up(label, traces, log), traces, text=told(traces, names)))


def curves(seen: tuple[Tensor, Tensor], queries: Tensor, truth: Tensor, predicted: Mapping[str, Tensor]) -> Picture:
    """Points as circles, the truth dashed, and every prediction as a line."""
    traces = [Trace("points", "points", *seen), Trace("truth", "truth", queries, truth)]
    traces += [Trace(name, role, queries, y) for (name, y), role in zip(predicted.items(), ROLES, strict=False)]
    every = torch.cat([seen[0], queries])
    x = Axis("x", every.min().item(), every.max().item())
    return _alone(Graph("", x, _up("y", traces), tuple(traces), text=told(traces)))


def maps(
    matrices: Sequence[Tensor], titles: Sequence[str], names: Names = QUERIES_AND_KEYS, words: Sequence[str] = ()
) -> Picture:
    """Matrices side by side, each of its own shape, under one scale of shades from 0; words replace the numbers."""
    panels = []
    for matrix, title in zip(matrices, titles, strict=True):
        rows, columns = (tuple(words) or tuple(map(str, range(1, size + 1))) for size in matrix.shape)
        panels.append(Heatmap(title, matrix, rows, columns))
    return Picture(tuple(panels), names=names, across=min(len(matrices), 4), height=360, fills=True)


def told(traces: Sequence[Trace], names: Sequence[str] = ()) -> str:
    """The numbers of a graph for those who cannot see it."""
    return " ".join(f"{_trace_told(trace, names)}." for trace in traces)


def _trace_told(trace: Trace, names: Sequence[str]) -> str:
    known = [(x, y) for x, y in zip(trace.x.tolist(), trace.y.tolist(), strict=True) if not math.isnan(y)]
    if trace.kind != "line":
        return f"{trace.name}: {', '.join(f'{names[round(x)]} {short(y)}' for x, y in known)}"
    if trace.role == "points":
        return f"{trace.name}: {len(known)} of them"
    (first, start), (last, end) = known[0], known[-1]
    return f"{trace.name}: {short(start)} at {short(first)}, {short(end)} at {short(last)}"
