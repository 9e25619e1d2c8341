"""What the gallery runs: patterns at one sharpness, and the lab's weights at two widths."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from attention_core.demos.patterns import PATTERNS, pattern_weights
from attention_core.demos.regression import weights_at
from attention_core.kernels import KERNELS
from attention_ui.chapters.heatmaps.choices import Chosen
from attention_ui.controls.dataset import Dataset
from attention_ui.export.computation import Computation
from attention_ui.export.points import points_call, queries_call
from attention_ui.export.writing import Call, Field
from attention_ui.numbers import short
from attention_ui.pictures.cache import chosen_widths
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.picture import Picture
from attention_ui.pictures.regression import weights_beside


@lru_cache(64)
def patterns_computation(chosen: Chosen, sharpness: float) -> Computation:
    """The weights (Q, K) of every chosen pattern, by its name."""
    scores = {name: PATTERNS[name].scores for name in chosen.names}
    call = Call(pattern_weights, scores=scores, n=chosen.n, band=chosen.band, sharpness=sharpness)
    return Computation(call, "heatmaps", {"matrices": Field("weights")})


@lru_cache(1)
def lab_computation() -> Computation:
    """The lab's weights (2, Q, K) at width 1 and at the width that leave-one-out chooses."""
    dataset, widths = Dataset(), lab_widths()
    call = Call(
        weights_at,
        points=points_call(dataset),
        queries=queries_call(dataset),
        widths=torch.tensor(widths, dtype=torch.float64),
        log_kernel=KERNELS["gaussian"].log,
    )
    drawn = {title: Field("weights", place) for place, title in enumerate(lab_titles())}
    return Computation(call, "heatmaps", {"matrices": drawn})


def lab_widths() -> tuple[float, float]:
    """Before and after the width was chosen by leaving points out."""
    return 1.0, chosen_widths(Dataset(), "gaussian", False)["leave_one_out"]


def lab_titles() -> list[str]:
    """What either picture is called."""
    return [f"width {short(width)}" for width in lab_widths()]


@lru_cache(1)
def lab_picture() -> Picture:
    """Both heatmaps of the lab side by side, as the lab shows them."""
    return weights_beside(Dataset(), lab_titles(), lab_computation().shown["weights"])  # (2, Q, K)


def heatmaps(weights: Tensor, titles: Sequence[str], blocks: tuple[int, int] = (1, 1), **given: Any) -> Picture:
    """Matrices (M, Q, K) as a picture; so many queries and keys share a row and a column."""
    rows, columns = (
        tuple(str(block * place) for place in range(count))
        for block, count in zip(blocks, weights.shape[1:], strict=True)
    )
    panels = (Heatmap(title, matrix, rows, columns) for title, matrix in zip(titles, weights, strict=True))
    return Picture(tuple(panels), **given)
