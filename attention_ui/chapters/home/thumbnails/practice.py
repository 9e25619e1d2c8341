"""The drawing for the exercises: a guess, and the curve that decides."""

import torch

from attention_core.data import generate
from attention_core.pooling import predict
from attention_ui.chapters.home.thumbnails.drawing import (
    INK,
    POINTS,
    PREDICTION,
    QUERY,
    Drawing,
    circle,
    drawing,
    ring,
    tag,
    trace,
)

SEEN = 2.6  # of x from 0 to 5: what comes after is still to be guessed
WIDTH = 0.25


def exercises() -> Drawing:
    """Half a curve with its points, the guess that goes on from it, and what came out."""
    samples = generate()
    x = torch.linspace(0, 5, 60, dtype=torch.float64)
    y = predict(x, *samples, WIDTH)
    curve = list(zip(_across(x), _up(y), strict=True))
    cut = int((x <= SEEN).sum())
    dots = [(a, b) for a, b in zip(_across(samples.x), _up(samples.y), strict=True) if a <= _across(x)[cut - 1]]
    guess = [curve[cut - 1], (150, 44), (178, 42), (206, 52)]
    return drawing(
        "Half of a curve is seen; a dashed guess goes on upwards, and the curve itself goes down.",
        *(ring(a, b, 2.6, POINTS, stroke_width=1.4) for a, b in dots[::2]),
        trace(curve[:cut], PREDICTION, stroke_width=3.5),
        trace(curve[cut - 1 :], PREDICTION, stroke_width=3.5, stroke_opacity=0.45),
        trace(guess, QUERY, stroke_width=3, stroke_dasharray="6 6", stroke_linecap="round"),
        circle(*curve[cut - 1], 5, PREDICTION),
        tag(
            "path",
            d="M192,14a8,8 0 1 1 9,10q-1,1 -1,5",
            fill="none",
            stroke=INK,
            stroke_width=3,
            stroke_linecap="round",
        ),
        circle(200, 36, 2.2, INK),
    )


def _across(x: torch.Tensor) -> list[float]:
    numbers: list[float] = (12 + x * (196 / 5)).tolist()
    return numbers


def _up(y: torch.Tensor) -> list[float]:
    numbers: list[float] = (112 - (y + 0.5) * 20).tolist()
    return numbers
