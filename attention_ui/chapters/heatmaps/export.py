"""The gallery to take home: the patterns, the lab's weights, or a visitor's own."""

import torch

from attention_core.demos.patterns import PATTERNS
from attention_ui.chapters.heatmaps.calls import lab_ran, lab_titles, patterns_ran
from attention_ui.chapters.heatmaps.choices import Chosen
from attention_ui.chapters.heatmaps.figures import in_rows
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix
from attention_ui.controls.dataset import Dataset
from attention_ui.export.export import Export
from attention_ui.export.tables import points_table, stacked_table
from attention_ui.numbers import short

# The names of the files, and titles.
LAB = ("lab-weights", "Kernel regression on 50 points, before and after its width was chosen")
OWN = ("own-weights", "Your own weights")


def patterns_named(sharpness: float) -> tuple[str, str]:
    """The name of the patterns' files, and their title."""
    return "attention-patterns", f"Patterns of attention, sharpness {short(sharpness)}"


def patterns_script(chosen: Chosen, sharpness: float) -> str:
    """The code that made the patterns."""
    return patterns_ran(chosen, sharpness).script(*patterns_named(sharpness)).text


def lab_script() -> str:
    """The code that made the lab's weights."""
    return lab_ran().script(*LAB).text


def own_script(matrix: OwnMatrix) -> str:
    """The code that read a visitor's own weights."""
    return matrix.ran.script(*OWN).text


def exported_patterns(chosen: Chosen, sharpness: float) -> Export:
    """The chosen patterns at this sharpness."""
    made = patterns_ran(chosen, sharpness)
    weights = torch.stack(list(made.shown["weights"].values()))  # (P, Q, K)
    return Export(
        *patterns_named(sharpness),
        figure=in_rows(weights, [PATTERNS[name].label for name in chosen.names], chosen.shared),
        tables={"weights": stacked_table(list(chosen.names), weights, "pattern")},
        ran=made,
    )


def exported_lab() -> Export:
    """The lab's weights at width 1 and at the width that leave-one-out chooses."""
    made, titles = lab_ran(), lab_titles()
    weights = made.shown["weights"]
    return Export(
        *LAB,
        figure=in_rows(weights, titles, shared=True),
        tables={"data": points_table(Dataset()), "weights": stacked_table(titles, weights, "width")},
        ran=made,
    )


def exported_own(matrix: OwnMatrix, shared: bool) -> Export:
    """The picture, and the numbers as they were read."""
    flat = matrix.weights.flatten(0, 1)  # (M, Q, K)
    return Export(
        *OWN,
        figure=in_rows(flat, matrix.titles, shared),
        tables={"weights": stacked_table(matrix.titles, flat)},
        ran=matrix.ran,
    )
