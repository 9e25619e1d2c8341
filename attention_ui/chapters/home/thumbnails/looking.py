"""Drawings for the first chapters: what attention is, before there is any formula."""

import torch

from attention_core.data import generate, query_grid
from attention_core.pooling import attend, kernel_pool, predict
from attention_ui.chapters.home.thumbnails.drawing import (
    INK,
    POINTS,
    PREDICTION,
    QUERY,
    REFERENCE,
    Drawing,
    cells,
    circle,
    diamond,
    drawing,
    line,
    rect,
    ring,
    trace,
)

CUPS = ((95, 26), (129, 78), (165, 22), (170, 92), (201, 58), (95, 96))  # grey, and nobody notices them


def cues() -> Drawing:
    """An eye between what stands out and what is wanted."""
    eye = trace([(8, 60), (20, 48), (30, 45), (40, 48), (52, 60), (40, 72), (30, 75), (20, 72), (8, 60)], INK)
    return drawing(
        "An eye: one bright thing among grey ones catches it, another is looked for.",
        *(rect(x - 9, y - 9, 18, 18, POINTS, rx=4, fill_opacity=0.35) for x, y in CUPS),
        line(56, 58, 116, 46, PREDICTION, stroke_width=4),
        rect(119, 31, 24, 24, PREDICTION, rx=5),
        line(56, 62, 150, 62, QUERY, stroke_width=2.5, stroke_dasharray="2 5"),
        circle(163, 62, 9, REFERENCE),
        ring(163, 62, 14, QUERY, stroke_width=2.5, stroke_dasharray="4 3"),
        eye,
        circle(30, 60, 8, INK),
    )


def qkv() -> Drawing:
    """A query, four keys, their values: every line is as thick as its weight."""
    keys = torch.arange(4, dtype=torch.float64)
    weights = attend(-((1.2 - keys[None]) ** 2), keys).weights[0]
    shapes = []
    for i, weight in enumerate(weights.tolist()):
        y, thick = 18 + 28 * i, 0.8 + 12 * weight
        shapes += [
            line(24, 60, 84, y, QUERY, stroke_width=thick, stroke_linecap="butt", class_="weight"),
            line(146, y, 196, 60, PREDICTION, stroke_width=thick, stroke_linecap="butt"),
            line(101, y, 130, y, INK, stroke_opacity=0.35),
            ring(92, y, 8, INK, stroke_width=2.5),
            rect(130, y - 8, 16, 16, REFERENCE, rx=3),
        ]
    listed = ", ".join(f"{weight:.2f}" for weight in weights.tolist())
    alt = f"One query meets four keys; their values flow into the output with weights {listed}."
    return drawing(alt, *shapes, diamond(20, 60, 12, QUERY), circle(200, 60, 11, PREDICTION))


def heatmaps() -> Drawing:
    """Sixteen keys ask one another."""
    places = torch.linspace(0, 5, 16, dtype=torch.float64)
    weights = kernel_pool(places, places, places, 0.7).weights
    alt = f"A heatmap of 16 queries and 16 keys, darkest along the diagonal; the largest weight is {weights.max():.2f}."
    return drawing(alt, cells(weights, 58, 8, 6.5), *_arrows())


def _arrows() -> list[str]:
    """Queries down, keys across."""
    return [
        trace([(46, 10), (46, 108)], INK, stroke_width=2, stroke_opacity=0.6),
        trace([(41, 102), (46, 109), (51, 102)], INK, stroke_width=2, stroke_opacity=0.6),
        trace([(172, 60), (206, 60)], INK, stroke_width=2, stroke_opacity=0.6),
        trace([(200, 55), (207, 60), (200, 65)], INK, stroke_width=2, stroke_opacity=0.6),
    ]


def kernel_regression() -> Drawing:
    """The lab in small: samples under a prediction, and its weights."""
    samples, width = generate(), 0.3
    fine = torch.linspace(0, 5, 60, dtype=torch.float64)
    curve = predict(fine, *samples, width)
    queries = query_grid()[::4]
    weights = kernel_pool(queries, samples.x[::4], samples.y[::4], width).weights  # (13, 13)
    shapes = [ring(*_placed(x, y), 2.2, stroke_width=1.1) for x, y in zip(*(t.tolist() for t in samples), strict=True)]
    prediction = trace([_placed(x, y) for x, y in zip(fine.tolist(), curve.tolist(), strict=True)], PREDICTION)
    return drawing(
        f"50 samples with the prediction through them, from {curve.min():.2f} to {curve.max():.2f}, and its heatmap.",
        line(6, 112, 106, 112, INK, stroke_width=1.5, stroke_opacity=0.5),
        *shapes,
        prediction,
        cells(weights, 116, 12, 7.6),
    )


def _placed(x: float, y: float) -> tuple[float, float]:
    """Where a point of the lab lies on the left half of the sheet."""
    return 6 + x / 5 * 100, 106 - (y - 0.3) / 4.6 * 96
