"""The curve with its weights on each page: data and choices -> a Picture; pure, no Streamlit."""

import math
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from attention_core.data import query_grid, truth
from attention_core.kernels import KERNELS
from attention_core.regression.estimator import AVERAGE, Estimator
from attention_core.regression.frames import Frames, key_groups, summed, width_frames
from attention_core.regression.quality import sharpness
from attention_core.regression.sweep import Sweep
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widths import usual_width, width_text
from attention_ui.numbers import short
from attention_ui.pictures.curve import Bell, Line, curve_and_weights, weights_heatmap
from attention_ui.pictures.graph import Axis, Graph
from attention_ui.pictures.picture import Picture, Readout

FINE = 241  # points of a curve: one every other pixel or so
BELL = 129  # points of a kernel's shape
FAR = 16.0  # widths from its middle to its end: 1/257 of Cauchy's kernel is left there
MARGIN = 0.06  # of the range of the values, above and below
ALL_HELD = 61  # positions up to which each has a frame of its own


def queries_for(dataset: Dataset) -> Tensor:
    """The rows of the heatmap: d2l's 50 test points for made-up data, edited or not, else 50 evenly over the keys."""
    return query_grid() if dataset.true_curve else query_grid(dataset.samples())


def width_picture(
    dataset: Dataset,
    kernel: str,
    linear: bool,
    widths: Sequence[float],
    slider: str | None = None,
) -> Picture:
    """One frame per width: the prediction and the attention weights, with the lines to compare them with."""
    samples, fine = dataset.samples(), fine_grid(dataset)
    queries, lines = (fine, queries_for(dataset)), reference_lines(dataset, fine)
    every = torch.tensor(widths, dtype=torch.float64)
    held, places = held_frames(every.log())
    frames = width_frames(samples, queries, every[held], kernel, linear, torch.float32)
    curve, weights = curve_and_weights(samples, frames, queries, axes_of(dataset, lines), lines)
    panels = curve._replace(bell=bell(kernel, every[held])), weights
    return Picture(panels, tuple(map(width_text, widths)), slider=slider, places=places)


def held_frames(positions: Tensor) -> tuple[Tensor, Tensor | None]:
    """Which positions (F,) of a slider a picture holds frames of, and where every position stands among these.

    Of many every second one, and both ends: what lies between two frames is interpolated by the browser, as it is
    between two positions, and on release the exact picture follows.
    """
    every = torch.arange(len(positions))
    if len(positions) <= ALL_HELD:
        return every, None
    held = every[(every % 2 == 0) | (every == len(positions) - 1)]
    ends = positions[held]
    before = torch.searchsorted(held, every, right=True).clamp(max=len(held) - 1) - 1
    return held, before + (positions - ends[before]) / (ends[before + 1] - ends[before])


def bell(kernel: str, widths: Tensor) -> Bell:
    """The shape of a kernel as far as it can be seen, densest around its middle."""
    known, even = KERNELS[kernel], torch.linspace(-1, 1, BELL, dtype=torch.float64)
    u = even * known.support if math.isfinite(known.support) else even * even.abs() * FAR
    return Bell(u, known(u.clone()).exp(), widths)


def fine_grid(dataset: Dataset) -> Tensor:
    """Where a curve over these data is drawn, (C,)."""
    return torch.linspace(dataset.low, dataset.high, FINE, dtype=torch.float64)


def one_frame(dataset: Dataset, curve: Tensor, weights: Tensor, graphs: tuple[Graph, ...] = ()) -> Picture:
    """A curve (C,) over the fine grid and its weights (Q, K or G), with the lines to compare them with."""
    fine, groups = fine_grid(dataset), key_groups(len(dataset.samples().x))
    lines = reference_lines(dataset, fine)
    frames = Frames(curve[None], summed(weights, groups)[None], groups)
    queries = fine, queries_for(dataset)
    panels = curve_and_weights(dataset.samples(), frames, queries, axes_of(dataset, lines), lines)
    return Picture(panels, graphs=graphs)


def weights_beside(dataset: Dataset, titles: Sequence[str], weights: Iterable[Tensor]) -> Picture:
    """Several weights (Q, K) on these data side by side, as they stand beside a curve."""
    queries, keys = queries_for(dataset), dataset.samples().x
    groups = key_groups(len(keys))
    panels = (
        weights_heatmap(title, summed(each, groups), queries, keys, groups)
        for title, each in zip(titles, weights, strict=True)
    )
    return Picture(tuple(panels), small=len(titles) > 2)


def readouts(swept: Sweep) -> tuple[Readout, ...]:
    """The numbers that move with the width: the errors, and how many keys a query attends to."""
    columns = {
        "true error": swept.test_error,
        "leave-one-out error": swept.loo_error,
        "training error": swept.training_error,
        "effective keys": swept.neighbours,
    }
    return tuple(
        Readout(name, tuple(short(number, 4 if "error" in name else 3) for number in column.tolist()))
        for name, column in columns.items()
        if column is not None
    )


def reference_lines(dataset: Dataset, fine: Tensor) -> tuple[Line, ...]:
    """The truth where it is known, average pooling, and a Gaussian of the usual width: 1 on d2l's data."""
    samples, usual = dataset.samples(), usual_width(dataset)
    known = (Line("Truth", "truth", truth(dataset.true_curve, fine)),) if dataset.true_curve else ()
    return (
        *known,
        Line("Average pooling", "average", AVERAGE.predict(fine, samples)),
        Line(f"σ = {short(usual)}", "reference", Estimator(usual).predict(fine, samples)),
    )


def texts(output: Tensor, weights: Tensor, keys: int | None = None, neighbours: float | None = None) -> tuple[str, str]:
    """The text alternatives of the two pictures, with their numbers.

    Weights of many keys are added up, so that these and their effective number must be given; so must the latter where
    a local line tilts its attention into weights.
    """
    reached = output[output.isfinite()]
    span = f"runs from {reached.min():.3g} to {reached.max():.3g}" if len(reached) else "is nowhere defined"
    rows, columns = weights.shape
    keys = keys or columns
    listened = sharpness(weights).neighbours if neighbours is None else neighbours
    together = f", neighbours together in {columns} columns" if columns < keys else ""
    return (
        f"Prediction curve over {keys} samples: it {span}.",
        f"Attention weights of {rows} queries over {keys} keys{together}: the largest is {weights.max():.3g}, "
        f"and the effective number of keys is {listened:.3g}.",
    )


def axes_of(dataset: Dataset, lines: Sequence[Line]) -> tuple[Axis, Axis]:
    """The axes of a curve over these data."""
    return Axis(dataset.x_label, dataset.low, dataset.high), value_axis(dataset, lines)


def value_axis(dataset: Dataset, lines: Sequence[Line]) -> Axis:
    """An axis that holds every sample and the truth, and stays put while the prediction moves."""
    seen = torch.cat([dataset.samples().y, *(line.values for line in lines if line.role == "truth")])
    low, high = float(seen.min()), float(seen.max())
    room = MARGIN * (high - low) or 1.0
    return Axis(dataset.y_label, low - room, high + room)
