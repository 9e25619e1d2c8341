"""Functions that scripts hold as they are: reading numbers from a file beside them, and drawing with matplotlib.

The app never imports this module, only its source: matplotlib is for those who run a script.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import Tensor


def load_numbers(file: str) -> dict[str, Any]:
    """The tensors of a file by name; those called model/weight and model/bias stand in a dictionary model."""
    numbers: dict[str, Any] = {}
    for name, array in np.load(file).items():
        group, _, rest = name.rpartition("/")
        (numbers.setdefault(group, {}) if group else numbers)[rest] = torch.from_numpy(array)
    return numbers


def curve_and_heatmap(points: Sequence[Tensor], curve: Sequence[Tensor], weights: Tensor) -> None:
    """Points (x, y) and a curve (x, y) on the left, the attention weights (queries, keys) on the right."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
    left.plot(*(numbers.numpy() for numbers in points), "o", alpha=0.5)
    left.plot(*(numbers.numpy() for numbers in curve), linewidth=3)
    image = right.imshow(weights.numpy(), aspect="auto", cmap="Blues", interpolation="nearest")
    right.set(xlabel="keys", ylabel="queries")
    figure.colorbar(image, label="weight")
    plt.show()


def heatmaps(matrices: Mapping[str, Tensor], across: str = "keys", down: str = "queries", signed: bool = False) -> None:
    """Matrices side by side by their titles, on one scale of colours; a signed one has 0 in its middle."""
    high = max(float(matrix.nan_to_num().abs().max()) for matrix in matrices.values())
    scale = {"vmin": -high, "vmax": high, "cmap": "RdBu"} if signed else {"vmin": 0, "vmax": high, "cmap": "Blues"}
    columns = min(4, len(matrices))
    rows = -(-len(matrices) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(4 * columns, 3.5 * rows), squeeze=False, layout="constrained")
    for panel, (title, matrix) in zip(axes.flat, matrices.items(), strict=False):
        image = panel.imshow(matrix.numpy(), aspect="auto", interpolation="nearest", **scale)
        panel.set(title=title, xlabel=across, ylabel=down)
    for panel in axes.flat[len(matrices) :]:
        panel.axis("off")
    figure.colorbar(image, ax=axes)
    plt.show()


def bars(panels: Mapping[str, tuple[Sequence[str], Tensor]]) -> None:
    """Panels side by side by their titles, each with the names of its bars and their heights."""
    _, axes = plt.subplots(1, len(panels), figsize=(7 * len(panels), 5), squeeze=False, layout="constrained")
    for panel, (title, (names, heights)) in zip(axes.flat, panels.items(), strict=True):
        panel.bar(names, heights.numpy())
        panel.set(title=title)
    plt.show()


def graphs(x: Tensor, lines: Mapping[str, Tensor], across: str = "x", log: bool = False) -> None:
    """Lines over one x by their names; with log, both axes in powers of ten."""
    _, panel = plt.subplots(figsize=(9, 5), layout="constrained")
    for name, y in lines.items():
        panel.plot(x.numpy(), y.numpy(), label=name, linewidth=2)
    panel.set(xlabel=across, **({"xscale": "log", "yscale": "log"} if log else {}))
    panel.legend()
    plt.show()
