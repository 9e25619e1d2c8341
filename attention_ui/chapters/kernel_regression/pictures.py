"""What moves in the lab's tabs: one frame per width of its slider; pure, no Streamlit."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import truth
from attention_core.regression.bias_variance import BiasVariance
from attention_core.regression.growth import Smooth, Timed
from attention_core.regression.more_data import Point
from attention_core.regression.one_query import seen_at
from attention_core.regression.selection import evenly
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.width import RULES
from attention_ui.controls.widths import width_text
from attention_ui.numbers import short
from attention_ui.pictures.charts import lines
from attention_ui.pictures.graph import Axis, Graph, Mark, Moving, Trace
from attention_ui.pictures.picture import Picture, Readout
from attention_ui.pictures.regression import axes_of, held_frames, reference_lines

SIGNS = {"leave_one_out": "star", "silverman": "square", "scott": "diamond"}
MOST_BARS = 500  # more would be a grey smear
STEEP = 10.0  # from this ratio of largest to smallest error on, the axis counts powers of ten
ROLES = ("reference", "average", "prediction")  # of squared bias, variance and their sum
ROOM = 0.08  # of an axis, beyond the outermost number


def _picture(widths: Tensor, page: str, graphs: tuple[Graph, ...], readouts: tuple[Readout, ...] = ()) -> Picture:
    """These graphs, moved by the slider of the page; what moves in them has the frames of `held_frames`."""
    captions, (_, places) = tuple(map(width_text, widths.tolist())), held_frames(widths.log())
    return Picture((), captions, readouts, graphs, slider=f"{page}_width", follows=f"{page}_stage", places=places)


def _width_axis(widths: Tensor, *others: float) -> Axis:
    """From blurred to sharp, so that what moves goes the same way as the handle of the slider; it holds all others."""
    ends = max(float(widths[0]), *others, 0.0), min(float(widths[-1]), *others, math.inf)
    return Axis("width σ, from blurred to sharp", *ends, log=True)


# Which width?


def which_width_picture(
    widths: Tensor, losses: Tensor, chosen: Mapping[str, tuple[float, float]], page: str
) -> Picture:
    """The leave-one-out error over the width (F,), on which a click or a drag sets σ; with what the rules choose."""
    marks = tuple(
        Mark(f"{RULES[rule][0]} {width:.3g}", width, loss, SIGNS[rule]) for rule, (width, loss) in chosen.items()
    )
    ends = f"{short(losses[0].item(), 4)} at σ = {short(widths[0].item())}, {short(losses[-1].item(), 4)} at σ = "
    told = "; ".join(f"{mark.name} has the error {short(mark.y, 4)}" for mark in marks)
    graph = Graph(
        "Leave-one-out error: click or drag to set σ",
        _width_axis(widths, *(mark.x for mark in marks)),
        _error_axis("leave-one-out error", torch.cat([losses, losses.new_tensor([mark.y for mark in marks])])),
        (Trace("leave-one-out error", "prediction", widths, losses),),
        ball=(widths, losses),
        marks=marks,
        text=f"Leave-one-out error over the width: {ends}{short(widths[-1].item())}{'; ' if told else ''}{told}.",
        listed=True,
        chooses=True,
    )
    return _picture(widths, page, (graph,))


def _error_axis(label: str, errors: Tensor) -> Axis:
    """An axis that holds all errors, by powers of ten where they differ much."""
    low, high = errors.min().item(), errors.max().item()
    if low > 0 and high / low > STEEP:
        return Axis(label, low / 1.2, high * 1.2, log=True)
    room = ROOM * (high - low) or 0.5
    return Axis(label, max(0.0, low - room), high + room)


# One query.


def one_query_picture(dataset: Dataset, query: float, kernel: str, linear: bool, widths: Tensor, page: str) -> Picture:
    """The weight of every point for one query, and what each adds to the prediction, at every width."""
    (x, y), some = dataset.samples(), evenly(len(dataset.samples().x), MOST_BARS)
    seen = seen_at(query, dataset.samples(), widths, (kernel, linear), some)
    adds = Bars("weight × value", "What every point adds", seen.weights * y[some], seen.part_ends)
    graphs = tuple(
        _bars(dataset, query, drawn, x[some], (x[seen.strongest], top))
        for drawn, top in (
            (Bars("weight", "Weight of every point", seen.weights, seen.ends), seen.largest),
            (adds, seen.largest * y[seen.strongest]),
        )
    )
    readouts = {
        f"prediction f({short(query)})": seen.prediction,
        "largest weight": seen.largest,
        "points with a weight": seen.reached,
    }
    texts = tuple(Readout(name, tuple(short(each, 4) for each in column.tolist())) for name, column in readouts.items())
    return _picture(widths, page, graphs, texts)


class Bars(NamedTuple):
    """Bars over some of the keys at every width."""

    label: str
    title: str
    heights: Tensor  # (F, S)
    ends: Tensor  # (F, 2): of the heights over all keys


def _bars(dataset: Dataset, query: float, drawn: Bars, x: Tensor, strongest: tuple[Tensor, Tensor]) -> Graph:
    """Bars over keys x (S,), and the strongest, its place and height (F,), in another colour."""
    place, top = strongest
    held = held_frames(torch.arange(len(top)))[0]
    return Graph(
        drawn.title,
        Axis(dataset.x_label, dataset.low, dataset.high),
        Axis(drawn.label, 0.0, 1.0),
        text=f"{drawn.title} for the query {short(query)}: bars over {len(x)} points.",
        texts=tuple(
            f"{drawn.title} for the query {short(query)}: the strongest {short(each, 4)}." for each in top.tolist()
        ),
        moving=(
            Moving("points", "reference", x, drawn.heights[held], "bars"),
            Moving("the strongest", "prediction", place[:, None], top[:, None], "bars"),
        ),
        heights=_ends(drawn.ends),
        upright=Mark(f"q = {short(query)}", query, 0.0),
    )


def _ends(ends: Tensor) -> Tensor:
    """Where an axis that holds bars of these least and greatest heights (F, 2) begins and ends, (F, 2)."""
    low, high = -_round_up(-ends[:, 0]), _round_up(ends[:, 1])
    return torch.stack([low, high.where(high > low, 1.0)], -1)


def _round_up(numbers: Tensor) -> Tensor:
    """The next of 1, 2, 5, 10, 20, ... for each number; 0 where it is not above 0. An axis that ends there is still."""
    sizes = numbers.clamp(min=1e-300)
    power = 10 ** sizes.log10().floor()
    steps = torch.tensor([1.0, 2.0, 5.0, 10.0], dtype=torch.float64)
    found = steps[torch.searchsorted(steps, (sizes / power) * (1 - 1e-9))] * power
    return found.where(numbers > 0, 0.0)


def drawn_text(n: int) -> str:
    """Which points are drawn, where not all are."""
    return f"{MOST_BARS} of {n:,} points are drawn, evenly chosen; the numbers count all." if n > MOST_BARS else ""


# Bias and variance.


def bias_variance_picture(dataset: Dataset, queries: Tensor, widths: Tensor, found: BiasVariance, page: str) -> Picture:
    """What a hundred redraws predict at every width, and squared bias and variance over the width."""
    lines = reference_lines(dataset, queries)
    (x, y), (held, _) = axes_of(dataset, lines), held_frames(widths)
    band = Graph(
        "100 redraws",
        x,
        y,
        (Trace("truth", "truth", queries, truth(dataset.name, queries)),),
        moving=(
            Moving("mean prediction", "prediction", queries, found.mean[held]),
            Moving("8 in 10 predictions", "prediction", queries, torch.stack([found.low, found.high], 1)[held], "band"),
        ),
        text="The truth, the mean of 100 predictions, and the band that holds eight in ten of them.",
    )
    totals = found.total_squared_bias, found.total_variance
    numbers = {"squared bias": totals[0], "variance": totals[1], "their sum": totals[0] + totals[1]}
    readouts = tuple(Readout(name, tuple(short(each, 4) for each in of.tolist())) for name, of in numbers.items())
    return _picture(widths, page, (band, _tradeoff(widths, numbers)), readouts)


def _tradeoff(widths: Tensor, numbers: Mapping[str, Tensor]) -> Graph:
    """Squared bias, variance and their sum over the width, with a line and a ball at the current one."""
    sums = numbers["their sum"]
    top = 1.05 * _largest(numbers.values())
    least = int(sums.nan_to_num(math.inf).argmin())
    return Graph(
        "Mean over all queries",
        _width_axis(widths),
        Axis("squared error", 0.0, top),
        tuple(Trace(name, role, widths, of) for (name, of), role in zip(numbers.items(), ROLES, strict=True)),
        ball=(widths, sums),
        moving=(
            Moving("", "query", widths[:, None].expand(-1, 2), widths.new_tensor([0.0, top]).expand(len(widths), 2)),
        ),
        text=f"Squared bias and variance over the width: their sum is least, {short(sums[least].item(), 4)}, "
        f"at σ = {short(widths[least].item())}.",
    )


# More data.

GROWING = {"fixed": "fixed width", "rule_of_thumb": "rule of thumb", "leave_one_out": "leave-one-out"}
TINY = 1e-12  # smaller errors are rounding


def error_over_n(points: Sequence[Point]) -> Picture:
    """The true error against the number of points, both by powers of ten, a line for every rule of the width."""
    sizes = torch.tensor(sorted({point.n for point in points}))
    by_rule = {rule: [point for point in points if point.rule == rule] for rule in GROWING}
    errors = {rule: torch.tensor([each.error for each in found]).clamp(TINY) for rule, found in by_rule.items()}
    made = lines(
        sizes, {GROWING[rule]: error for rule, error in errors.items()}, ("points", "true error (mean squared)"), "xy"
    )
    told = (tuple(f"σ = {short(each.width)}" for each in found) for found in by_rule.values())
    (graph,) = made.graphs
    traces = (trace._replace(texts=texts) for trace, texts in zip(graph.traces, told, strict=True))
    return replace(made, graphs=(graph._replace(traces=tuple(traces)),))


# How the time grows.

WAYS = {"pairs": ("every pair", "reference", "square"), "sums": ("kernel sums", "prediction", "circle")}


def time_over_n(times: Sequence[Timed]) -> Picture:
    """The time of n predictions from n points, both by powers of ten, a line for every way."""
    every = torch.tensor([each.seconds for each in times], dtype=torch.float64)
    traces = tuple(
        Trace(name, role, *_sizes_and_seconds(times, way), sign=sign) for way, (name, role, sign) in WAYS.items()
    )
    graph = Graph(
        "",
        Axis("points, and as many queries", times[0].n / 1.2, 1.2 * times[-1].n, log=True),
        Axis("seconds of one core", every.min().item() / 1.5, 1.5 * every.max().item(), log=True),
        traces,
        text=f"Seconds over the number of points: {time_text(times)}",
    )
    return Picture((), graphs=(graph,))


def _sizes_and_seconds(times: Sequence[Timed], way: str) -> tuple[Tensor, Tensor]:
    sizes, seconds = zip(*((each.n, each.seconds) for each in times if each.way == way), strict=True)
    return torch.tensor(sizes), torch.tensor(seconds, dtype=torch.float64)


def time_text(times: Sequence[Timed]) -> str:
    """What was measured, in words: both ways where both are known, and how far the sums came."""
    (paired, pairs), (sizes, sums) = (_sizes_and_seconds(times, way) for way in WAYS)
    n, last = int(paired[-1]), int(sizes[-1])
    there = float(sums[sizes == n][0]) if bool((sizes == n).any()) else math.nan
    told = f"With {n:,} points every pair takes {_seconds(float(pairs[-1]))}"
    if math.isfinite(there):
        told += f", kernel sums {_seconds(there)}: {_times(float(pairs[-1]) / there)}"
    if last > n:
        told += f". With {last:,} points kernel sums take {_seconds(float(sums[-1]))}"
    if len(paired) > 1:
        growing = float(pairs[-1] / pairs[-2]), int(paired[-2])
        told += f". From {growing[1]:,} to {n:,} points the time of every pair grows {growing[0]:.2g}-fold"
    if len(sizes) > 1:
        told += f"; from {int(sizes[-2]):,} to {last:,} that of kernel sums {float(sums[-1] / sums[-2]):.2g}-fold"
    return f"{told}."


def _times(ratio: float) -> str:
    return f"every pair takes {ratio:.2g} times as long" if ratio >= 1 else f"they take {1 / ratio:.2g} times as long"


def _seconds(seconds: float) -> str:
    return f"{short(seconds * 1e3, 3)} ms" if seconds < 1 else f"{short(seconds, 3)} s"


def smooth_picture(smooth: Smooth, n: int) -> Picture:
    """The bumps of a few keys over one cell, and beside them the sum of all with the nodes it is known by."""
    bumps = tuple(Trace("", "average", smooth.x, bump) for bump in smooth.bumps)
    ends = float(smooth.x[0]), float(smooth.x[-1])
    room = ROOM * float(smooth.sums.max() - smooth.sums.min()) or 1.0
    few = Graph(
        "The bumps of a few keys",
        Axis("x", *ends),
        Axis("K", 0.0, 1.05),
        bumps,
        text=f"The kernels of {len(smooth.bumps)} of {n:,} keys over one cell.",
    )
    whole = Graph(
        "The sum of all",
        Axis("x", *ends),
        Axis("sum of K", float(smooth.sums.min()) - room, float(smooth.sums.max()) + room),
        (
            Trace(f"sum over {n:,} keys", "prediction", smooth.x, smooth.sums),
            Trace(f"{len(smooth.nodes)} places", "query", smooth.nodes, smooth.at_nodes, kind="signs", sign="circle"),
        ),
        text=f"The sum over {n:,} keys, smooth between {len(smooth.nodes)} places.",
    )
    return Picture((), graphs=(few, whole))


def smooth_text(smooth: Smooth, n: int, width: float) -> str:
    """How well the sum is known from its nodes."""
    return (
        f"One cell of these data, with Gaussians of width {short(width)}: the sum over {n:,} keys, and the "
        f"{len(smooth.nodes)} places by which it is known. Interpolated between them, the sum is off by at most "
        f"{smooth.error:.1g} of its size."
    )


def _largest(columns: Iterable[Tensor]) -> float:
    every = torch.cat([*columns])
    return every[every.isfinite()].max().item() if every.isfinite().any() else 1.0
