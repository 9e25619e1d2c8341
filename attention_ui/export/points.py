"""The points of a page in plain torch: drawn by the same calls, or written out."""

import torch
from torch import Tensor

from attention_core.data import FUNCTIONS, HIGH, LOW, MEASURED, measured, noisy
from attention_ui.controls.dataset import Dataset
from attention_ui.export.snippets import written
from attention_ui.export.writing import Call, FromFile

WHY = "# The same seed gives the same points: drawn in float32, the inputs before the noise."

# The curves of attention_core.data.FUNCTIONS, as a reader would write them.
CURVES = {
    "wave": "2 * torch.sin(x) + x**0.8",
    "line": "0.5 * x + 1",
    "step": "3 * (x >= 2.5).to(x.dtype)",
    "bump": "0.5 * x + 3 * torch.exp(-8 * (x - 2.5) ** 2)",
    "doppler": "4 * (t * (1 - t)).clamp(min=0).sqrt() * torch.sin(2 * torch.pi * 1.15 / (t + 0.15))",
    "gap": "2 * torch.sin(2 * x)",
}
BEFORE = {"doppler": "t = 1 - x / 5.0\n"}
PLACES = {"gap": "torch.where(unit < 0.5, unit * 4, unit * 4 + 1)"}  # nothing is seen from 2 to 3


def plain_points(dataset: Dataset) -> str:
    """Lines that make keys and values (n,), float64, sorted by key."""
    if not dataset.has_truth:
        keys, values = (plain_tensor(column) for column in dataset.samples())
        return f"keys = {keys}\nvalues = {values}"
    name, n = dataset.name, dataset.n
    return (
        f"{WHY}\n"
        f"generator = torch.Generator().manual_seed({dataset.seed})\n"
        f"unit = torch.rand({n}, generator=generator)\n"
        f"x = torch.sort({PLACES.get(name, 'unit * 5.0')}).values\n"
        f"{BEFORE.get(name, '')}"
        f"curve = {CURVES[name]}\n"
        f"y = curve + torch.normal(0.0, {float(dataset.noise)!r}, ({n},), generator=generator)\n"
        "keys, values = x.double(), y.double()  # (keys,)"
    )


def plain_tensor(column: Tensor) -> str:
    """A vector of float64 written out, each number as short as it can be; many were float32 in the first place."""
    short = column.float()
    if torch.equal(short.double(), column):
        return f"torch.tensor({written(float(str(number)) for number in short.numpy())}).double()"
    return f"torch.tensor({written(column.tolist())}, dtype=torch.float64)"


def plain_queries(dataset: Dataset) -> str:
    """The line that makes the 50 queries of the heatmap's rows."""
    if dataset.has_truth:
        return "queries = torch.arange(0.0, 5.0, 0.1, dtype=torch.float64)  # (queries,)"
    return "queries = torch.linspace(float(keys[0]), float(keys[-1]), 50, dtype=torch.float64)  # (queries,)"


def points_call(dataset: Dataset) -> Call | tuple[Tensor, Tensor]:
    """The keys and values of a data set: the call that draws or reads them, or a visitor's own."""
    if dataset.has_truth:
        made = FUNCTIONS[dataset.name]
        place = {"place": made.place} if made.place else {}
        return Call(noisy, made.curve, n=dataset.n, noise=float(dataset.noise), seed=dataset.seed, **place)
    x, y = dataset.samples()
    return FromFile(measured, dataset.name) if dataset.name in MEASURED else (x, y)


def queries_call(dataset: Dataset) -> Call:
    """The 50 queries of the heatmap's rows: d2l's test grid, or evenly over a visitor's keys."""
    if dataset.has_truth:
        return Call(torch.arange, LOW, HIGH, 0.1, dtype=torch.float64)
    keys = dataset.samples().x
    return Call(torch.linspace, float(keys[0]), float(keys[-1]), 50, dtype=torch.float64)
