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
    for path, array in np.load(file).items():
        group, _, rest = path.rpartition("/")
        (numbers.setdefault(group, {}) if group else numbers)[rest] = torch.from_numpy(array)
    return numbers


def curve_and_heatmap(shown: Mapping[str, Tensor]) -> None:
    """Draw points and curve on the left, the attention weights (queries, keys) on the right."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
    left.plot(shown["keys"], shown["values"], "o", alpha=0.5)
    left.plot(shown["queries"], shown["output"], linewidth=3)
    image = right.imshow(shown["weights"].numpy(), aspect="auto", cmap="Blues", interpolation="nearest")
    right.set(xlabel="keys", ylabel="queries")
    figure.colorbar(image, label="weight")
    plt.show()


def heatmaps(matrices: Mapping[str, Tensor], across: str = "keys", down: str = "queries") -> None:
    """Draw matrices by their titles on one scale of colours; 0 is in its middle if there are numbers below 0."""
    cells = torch.cat([matrix.flatten() for matrix in matrices.values()]).nan_to_num()
    high = float(cells.abs().max())
    low, colours = (-high, "RdBu") if cells.min() < 0 else (0.0, "Blues")
    rows, columns = -(-len(matrices) // 4), min(4, len(matrices))
    figure = plt.figure(figsize=(4 * columns, 3.5 * rows), layout="constrained")
    for place, (title, matrix) in enumerate(matrices.items(), 1):
        panel = figure.add_subplot(rows, columns, place, title=title, xlabel=across, ylabel=down)
        image = panel.imshow(matrix.numpy(), vmin=low, vmax=high, aspect="auto", cmap=colours, interpolation="nearest")
    figure.colorbar(image, ax=figure.axes)
    plt.show()


def bars(panels: Mapping[str, tuple[Sequence[str], Tensor]]) -> None:
    """Draw panels side by side by their titles, each with the names of its bars and their heights."""
    _, axes = plt.subplots(1, len(panels), figsize=(7 * len(panels), 5), squeeze=False, layout="constrained")
    for panel, (title, (names, heights)) in zip(axes.flat, panels.items(), strict=True):
        panel.bar(names, heights.numpy())
        panel.set(title=title)
    plt.show()


def graphs(x: Tensor, lines: Mapping[str, Tensor], across: str = "x", scale: str = "linear") -> None:
    """Draw lines over one x by their names."""
    _, panel = plt.subplots(figsize=(9, 5), layout="constrained")
    for name, y in lines.items():
        panel.plot(x, y, label=name, linewidth=2)
    panel.set(xlabel=across, xscale=scale, yscale=scale)
    panel.legend()
    plt.show()
