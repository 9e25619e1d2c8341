"""The points of a data set and the queries of a heatmap, as calls that scripts can hold."""

import torch
from torch import Tensor

from attention_core.data import FUNCTIONS, HIGH, LOW, MEASURED, measured, noisy, zero_to_five
from attention_ui.controls.dataset import Dataset
from attention_ui.export.writing import Call, FromFile


def points_call(dataset: Dataset) -> Call | tuple[Tensor, Tensor]:
    """The keys and values of a data set: the call that draws or reads them, or a visitor's own."""
    if dataset.has_truth:
        made = FUNCTIONS[dataset.name]
        place = {} if made.place is zero_to_five else {"place": made.place}
        return Call(noisy, made.curve, n=dataset.n, noise=float(dataset.noise), seed=dataset.seed, **place)
    x, y = dataset.samples()
    return FromFile(measured, dataset.name) if dataset.name in MEASURED else (x, y)


def queries_call(dataset: Dataset) -> Call:
    """The 50 queries of the heatmap's rows: d2l's test grid, or evenly over a visitor's keys."""
    if dataset.has_truth:
        return Call(torch.arange, LOW, HIGH, 0.1, dtype=torch.float64)
    keys = dataset.samples().x
    return Call(torch.linspace, float(keys[0]), float(keys[-1]), 50, dtype=torch.float64)
