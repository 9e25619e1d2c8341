"""What is expensive in the pictures of several pages, kept and shared by all (attention_ui/shared.py)."""

from dataclasses import replace
from functools import partial

import torch

from attention_core.data import truth
from attention_core.regression.selection import best_width, scott_width, silverman_width
from attention_core.regression.sweep import Sweep, sweep
from attention_ui.controls.dataset import Dataset
from attention_ui.helpers import helped
from attention_ui.pictures.picture import Picture, pack
from attention_ui.pictures.regression import queries_for, readouts, width_picture
from attention_ui.shared import Store, shared

SOON_PACKED = Store(100_000_000)  # as much as one of a million points and these points, and another one


@shared
@helped
def packed_widths(dataset: Dataset, kernel: str, linear: bool, widths: tuple[float, ...], slider: str) -> bytes:
    """The frames of every width, as bytes for the browser."""
    picture = widths_picture(dataset, kernel, linear, widths)
    told = readouts(swept(dataset, kernel, linear, widths))
    return pack(replace(picture, slider=slider, readouts=told))


@partial(shared, store=SOON_PACKED)
def widths_picture(dataset: Dataset, kernel: str, linear: bool, widths: tuple[float, ...]) -> Picture:
    """The frames of every width."""
    return width_picture(dataset, kernel, linear, widths)


@shared
def chosen_widths(dataset: Dataset, kernel: str, linear: bool) -> dict[str, float]:
    """The widths that a rule chooses, by its id."""
    samples = dataset.samples()
    return {
        "leave_one_out": best_width(samples, kernel, linear),
        "silverman": silverman_width(samples),
        "scott": scott_width(samples),
    }


@shared
def swept(dataset: Dataset, kernel: str, linear: bool, widths: tuple[float, ...]) -> Sweep:
    """Errors and sharpness at every width."""
    *error, undefined, left_out, fitted, neighbours = torch.frombuffer(
        bytearray(_swept(dataset, kernel, linear, widths)), dtype=torch.float64
    ).view(-1, len(widths))
    return Sweep(error[0] if error else None, undefined.long(), left_out, fitted, neighbours)


@shared
@helped
def _swept(dataset: Dataset, kernel: str, linear: bool, widths: tuple[float, ...]) -> bytes:
    """The same, row by row."""
    queries = queries_for(dataset)
    known = truth(dataset.true_curve, queries) if dataset.true_curve else None
    found = sweep(dataset.samples(), queries, known, torch.tensor(widths, dtype=torch.float64), kernel, linear)
    return torch.stack([row.double() for row in found if row is not None]).numpy().tobytes()
