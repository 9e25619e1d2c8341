"""Drawings for the chapters on sequences."""

import torch
from torch import Tensor

from attention_core.pooling import attend
from attention_ui.chapters.home.strip import clock_hands, scaled_dot
from attention_ui.chapters.home.thumbnails.drawing import (
    INK,
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
    tag,
    trace,
)

TOKENS = 7
SPEEDS = (0.35, 1.0, 2.1)  # of the heads' clocks, in radians a token
ORDER = (0, 2, 1, 4, 3)  # of the inputs that the outputs need, one after another
SHARPER = 6.0  # longer vectors, sharper weights


def attention_of(speed: float, tokens: int) -> Tensor:
    """Tokens that attend to one another by the angle of one clock hand: weights (tokens, tokens)."""
    places = torch.arange(tokens, dtype=torch.float64)
    hands = clock_hands(places, (speed,))
    return attend(SHARPER * scaled_dot(hands, hands), places).weights


def bahdanau() -> Drawing:
    """A sentence and its translation: every output looks back at its own input."""
    places, order = torch.arange(5, dtype=torch.float64), torch.tensor(ORDER, dtype=torch.float64)
    weights = attend(-1.5 * (order[:, None] - places) ** 2, places).weights  # (outputs, inputs)
    lines = [
        line(30 + 40 * i, 92, 30 + 40 * j, 28, PREDICTION, stroke_width=9 * weight, stroke_opacity=0.25 + 0.6 * weight)
        for i, row in enumerate(weights.tolist())
        for j, weight in enumerate(row)
        if weight > 0.02
    ]
    return drawing(
        "Five inputs above, five outputs below: each output looks back at the input it needs.",
        *lines,
        *(rect(20 + 40 * i, 10, 20, 20, REFERENCE, rx=4) for i in range(5)),
        *(circle(30 + 40 * i, 100, 11, QUERY) for i in range(5)),
    )


def multihead() -> Drawing:
    """Three heads, three patterns over the same tokens."""
    maps = [cells(attention_of(speed, 8), 10 + 70 * i, 30, 7.5) for i, speed in enumerate(SPEEDS)]
    return drawing(
        "Three heads over the same eight tokens: one looks wide, one near, one at every third token.",
        *maps,
        *(trace([(40 + 70 * i, 28), (40 + 70 * i, 18), (110, 18), (110, 8)], INK, stroke_width=2) for i in range(3)),
        *(
            trace([(40 + 70 * i, 92), (40 + 70 * i, 102), (110, 102), (110, 112)], INK, stroke_width=2)
            for i in range(3)
        ),
    )


def self_attention() -> Drawing:
    """One token asks all the others: arcs as thick as its weights."""
    asking, weights = 2, attention_of(1.0, TOKENS)[2].tolist()
    arcs = [_arc(20 + 30 * asking, 20 + 30 * i, weight) for i, weight in enumerate(weights) if i != asking]
    listed = ", ".join(f"{weight:.2f}" for weight in weights)
    return drawing(
        f"Seven tokens in a row; the third attends to all of them with weights {listed}.",
        *arcs,
        *(ring(20 + 30 * i, 96, 10, INK, stroke_width=2.5) for i in range(TOKENS) if i != asking),
        circle(20 + 30 * asking, 96, 12, QUERY),
    )


def _arc(start: float, end: float, weight: float) -> str:
    middle, height = (start + end) / 2, 82 - 0.95 * abs(end - start)
    path = f"M{start:g},84Q{middle:g},{height:.1f} {end:g},84"
    return tag("path", d=path, fill="none", stroke=PREDICTION, stroke_width=1 + 22 * weight, stroke_opacity=0.75)


def transformer() -> Drawing:
    """Encoder and decoder: the same block again and again, joined by attention."""
    return drawing(
        "A stack of encoder blocks hands its keys and values to a stack of decoder blocks.",
        *_tower(24, ("attention", "feed")),
        *_tower(128, ("attention", "attention", "feed")),
        trace([(92, 30), (108, 30), (108, 62), (124, 62)], QUERY, stroke_width=3),
        trace([(118, 56), (125, 62), (118, 68)], QUERY, stroke_width=3),
        *(line(x, 112, x, 104, INK) for x in (58, 162)),
        *(line(x, 14, x, 6, INK) for x in (162,)),
    )


def _tower(x: float, parts: tuple[str, ...]) -> list[str]:
    """One block: attention in colour, the feed-forward part plain, and the way around them."""
    height = (90 - 6 * (len(parts) + 1)) / len(parts)
    boxes = []
    for i, part in enumerate(reversed(parts)):
        y = 20 + i * (height + 6)
        fill, opacity = (PREDICTION, 0.85) if part == "attention" else (REFERENCE, 0.6)
        boxes.append(rect(x + 8, y, 52, height, fill, rx=4, fill_opacity=opacity))
    return [rect(x, 14, 68, 90, "none", rx=7, stroke=INK, stroke_opacity=0.6, stroke_width=2), *boxes]


def plain() -> Drawing:
    """For a chapter without a drawing of its own: one query, and keys that matter more or less."""
    sizes = (4, 7, 12, 7, 4)
    return drawing(
        "A query and five keys, larger where they count more.",
        diamond(110, 26, 12, QUERY),
        *(circle(30 + 40 * i, 84, size, REFERENCE) for i, size in enumerate(sizes)),
    )
