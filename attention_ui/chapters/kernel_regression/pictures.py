"""What moves in the lab's tabs: one frame per width of its slider; pure, no Streamlit."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attention_core.data import truth
from attention_core.regression.bias_variance import BiasVariance
from attention_core.regression.more_data import Point
from attention_core.regression.one_query import weights_at
from attention_core.regression.selection import evenly
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.width import RULES, width_text
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
    samples = dataset.samples()
    weights = weights_at(query, samples, widths, kernel, linear)  # (F, K)
    parts = weights * samples.y
    reached = weights.count_nonzero(-1)
    prediction = parts.sum(-1).where(reached > 0, math.nan)
    strongest = weights.abs().argmax(-1, keepdim=True)  # (F, 1)
    tops = (("weight", weights, "Weight of every point"), ("weight × value", parts, "What every point adds"))
    graphs = tuple(_bars(dataset, query, label, heights, strongest, title) for label, heights, title in tops)
    readouts = {
        f"prediction f({short(query)})": prediction,
        "largest weight": weights.gather(-1, strongest)[:, 0],
        "points with a weight": reached,
    }
    texts = tuple(Readout(name, tuple(short(each, 4) for each in column.tolist())) for name, column in readouts.items())
    return _picture(widths, page, graphs, texts)


def _bars(dataset: Dataset, query: float, label: str, heights: Tensor, strongest: Tensor, title: str) -> Graph:
    """Bars over the keys (F, K), at most 500 of them, and the strongest (F, 1) in another colour."""
    x, some = dataset.samples().x, evenly(heights.shape[1], MOST_BARS)
    top, held = heights.gather(-1, strongest), held_frames(torch.arange(len(heights)))[0]
    return Graph(
        title,
        Axis(dataset.x_label, dataset.low, dataset.high),
        Axis(label, 0.0, 1.0),
        text=f"{title} for the query {short(query)}: bars over {len(some)} points.",
        texts=tuple(
            f"{title} for the query {short(query)}: the strongest {short(each, 4)}." for each in top[:, 0].tolist()
        ),
        moving=(
            Moving("points", "reference", x[some], heights[held][:, some], "bars"),
            Moving("the strongest", "prediction", x[strongest], top, "bars"),
        ),
        heights=_ends(heights),
        upright=Mark(f"q = {short(query)}", query, 0.0),
    )


def _ends(heights: Tensor) -> Tensor:
    """Where an axis that holds the bars of every frame begins and ends, (F, 2)."""
    low, high = -_round_up(-heights.amin(-1)), _round_up(heights.amax(-1))
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


def _largest(columns: Iterable[Tensor]) -> float:
    every = torch.cat([*columns])
    return every[every.isfinite()].max().item() if every.isfinite().any() else 1.0
