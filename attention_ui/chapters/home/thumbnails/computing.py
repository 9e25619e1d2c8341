"""Drawings for the chapters that compute: batches, the learned w, and other scores."""

import torch

from attention_core.data import generate
from attention_core.learning.training import TrainingConfig, train
from attention_core.regression.selection import loo_losses
from attention_ui.chapters.home.strip import QUERY as AT
from attention_ui.chapters.home.strip import SCORES
from attention_ui.chapters.home.thumbnails.drawing import (
    INK,
    PREDICTION,
    QUERY,
    REFERENCE,
    TRUTH,
    Drawing,
    cells,
    circle,
    drawing,
    line,
    rect,
    trace,
)

DASHES = ((PREDICTION, "none"), (REFERENCE, "7 4"), (TRUTH, "2 4"))  # no line is told by colour alone


def batches() -> Drawing:
    """Three small products at once: stacks of matrices, the front one with its numbers as shades."""
    made = torch.Generator().manual_seed(1)
    left, right = torch.rand(3, 3, 2, generator=made), torch.rand(3, 2, 3, generator=made)
    product = torch.bmm(left, right)  # (3, 3, 3)
    return drawing(
        "Three matrices of 3 by 2 times three of 2 by 3 give three of 3 by 3, in one call.",
        *_stack(left, 6),
        *(line(57, y, 67, 124 - y, INK, stroke_width=2.5) for y in (57, 67)),
        *_stack(right, 75),
        *(line(143, y, 155, y, INK, stroke_width=2.5) for y in (58, 66)),
        *_stack(product, 162, 14),
    )


def _stack(matrices: torch.Tensor, x: float, size: float = 16) -> list[str]:
    """Sheets behind the first matrix, each a little higher and further right; all together half-way up."""
    _, rows, columns = matrices.shape
    y, wide, high = 68 - size * rows / 2, size * columns, size * rows
    behind = (
        rect(x + 6 * i, y - 8 * i, wide, high, f"var(--shade-{4 - i})", stroke=INK, stroke_opacity=0.5) for i in (2, 1)
    )
    return [*behind, cells(matrices[0], x, y, size)]


def learned_w() -> Drawing:
    """The leave-one-out error over w, and the steps that gradient descent takes down it."""
    samples = generate()
    w = torch.linspace(0.6, 6, 60, dtype=torch.float64)
    steps = torch.tensor(
        [1.0, *(step.w for step in train(samples, TrainingConfig(epochs=24, learning_rate=0.02)))], dtype=torch.float64
    )
    errors, taken = loo_losses(samples, 1 / w), loo_losses(samples, 1 / steps)
    low, high = errors.min(), errors.max()

    def placed(at: torch.Tensor, error: torch.Tensor) -> list[tuple[float, float]]:
        across, up = 14 + (at - 0.6) / 5.4 * 192, 98 - (error - low) / (high - low) * 86
        return list(zip(across.tolist(), up.tolist(), strict=True))

    path = placed(steps, taken)
    x, y = path[-1]
    return drawing(
        f"The error over w, and steps downhill from w = 1 to w = {steps[-1]:.2f}.",
        line(10, 112, 210, 112, INK, stroke_width=1.5, stroke_opacity=0.5),
        trace(placed(w, errors), REFERENCE),
        line(x, y, x, 112, QUERY, stroke_dasharray="3 4"),
        *(circle(*place, 4, PREDICTION, class_="step") for place in path),
        circle(x, y, 7.5, PREDICTION),
    )


def scoring() -> Drawing:
    """The weights that three scores give one query, as lines over the keys."""
    keys = torch.linspace(0, 5, 61, dtype=torch.float64)
    query = torch.tensor([AT], dtype=torch.float64)
    chosen = [score for score in SCORES if score.name in ("Gaussian kernel", "Additive", "Scaled dot product")]
    rows = [score.pool(query, keys, keys).weights[0, 0] for score in chosen]  # (61,) each
    top = max(float(row.max()) for row in rows)
    lines = [
        trace(
            [(10 + 40 * x, 108 - 96 * y / top) for x, y in zip(keys.tolist(), row.tolist(), strict=True)],
            colour,
            stroke_dasharray=dash,
        )
        for row, (colour, dash) in zip(rows, DASHES, strict=True)
    ]
    names = ", ".join(score.name.lower() for score in chosen)
    return drawing(
        f"Three scores, three sets of weights for the same query: {names}.",
        line(10, 112, 210, 112, INK, stroke_width=1.5, stroke_opacity=0.5),
        line(10 + 40 * AT, 6, 10 + 40 * AT, 112, QUERY, stroke_dasharray="3 4"),
        *lines,
    )
