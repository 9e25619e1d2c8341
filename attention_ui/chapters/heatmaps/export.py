"""What the gallery gives away: the patterns, the lab's weights, or a visitor's own."""

import math
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import torch

from attention_core.demos.patterns import PATTERNS
from attention_ui.chapters.heatmaps.choices import Chosen
from attention_ui.chapters.heatmaps.computation import (
    heatmaps,
    lab_computation,
    lab_picture,
    lab_titles,
    patterns_computation,
)
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix
from attention_ui.chapters.heatmaps.reduced import Reduced, reduced
from attention_ui.controls.dataset import Dataset
from attention_ui.export.still import still
from attention_ui.export.tables import points_table, stacked_table
from attention_ui.export.view import Export
from attention_ui.numbers import short
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture

FEW, MANY = 5, 8  # heatmaps in a row
EMPTY = Heatmap("", torch.empty(0, 0), (), ())

# The names of the files, and titles.
LAB = ("lab-weights", "Kernel regression on 50 points, before and after its width was chosen")
OWN = ("own-weights", "Your own weights")


def patterns_named(sharpness: float) -> tuple[str, str]:
    """The name of the patterns' files, and their title."""
    return "attention-patterns", f"Patterns of attention, sharpness {short(sharpness)}"


def patterns_script(chosen: Chosen, sharpness: float) -> str:
    """The code that made the patterns."""
    return patterns_computation(chosen, sharpness).script(*patterns_named(sharpness)).text


def lab_script() -> str:
    """The code that made the lab's weights."""
    return lab_computation().script(*LAB).text


def own_script(matrix: OwnMatrix) -> str:
    """The code that read a visitor's own weights."""
    return matrix.computation.script(*OWN).text


def exported_patterns(chosen: Chosen, sharpness: float) -> Export:
    """The chosen patterns at this sharpness."""
    made = patterns_computation(chosen, sharpness)
    weights = torch.stack(list(made.shown["weights"].values()))  # (P, Q, K)
    return Export(
        *patterns_named(sharpness),
        figure=_figure(Reduced(weights, 1, 1), [PATTERNS[name].label for name in chosen.names], chosen.shared),
        tables={"weights": stacked_table(list(chosen.names), weights, "pattern")},
        computation=made,
    )


def exported_lab() -> Export:
    """The lab's weights at width 1 and at the width that leave-one-out chooses."""
    made = lab_computation()
    return Export(
        *LAB,
        figure=still(lab_picture()),
        tables={
            "data": points_table(Dataset()),
            "weights": stacked_table(lab_titles(), made.shown["weights"], "width"),
        },
        computation=made,
    )


def exported_own(matrix: OwnMatrix, shared: bool) -> Export:
    """The picture, and the numbers as they were read."""
    drawn = reduced(matrix.weights.flatten(0, 1))  # (M, Q, K)
    return Export(
        *OWN,
        figure=_figure(drawn, matrix.titles, shared),
        tables={"weights": stacked_table(matrix.titles, matrix.weights.flatten(0, 1))},
        computation=matrix.computation,
    )


def _figure(drawn: Reduced, titles: list[str], shared: bool) -> go.Figure:
    """Heatmaps in rows; without a shared scale each is coloured up to its own largest weight, and has no colour bar."""
    rows = math.ceil(len(titles) / (FEW if len(titles) <= 2 * FEW else MANY))
    across = math.ceil(len(titles) / rows)
    cell = "weight" if shared else ""
    names = Names(cell=cell) if across <= FEW else Names(cell=cell, rows="", columns="")  # many leave no room for words
    given: dict[str, Any] = {"blocks": (drawn.queries, drawn.keys), "across": across, "names": names}
    free = (EMPTY,) * (rows * across - len(titles))  # so that the last row is no wider than the others
    if shared:
        whole = heatmaps(drawn.matrices, titles, **given)
        return still(replace(whole, panels=(*whole.panels, *free)))
    each = [heatmaps(one, [title], **given) for one, title in zip(drawn.matrices.split(1), titles, strict=True)]
    return still(*each, *(Picture((panel,)) for panel in free))
