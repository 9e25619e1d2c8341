"""The hand's slider over w, evenly in log w."""

import math

from torch import Tensor

from attention_ui.controls.widgets import select_slider
from attention_ui.link.texts import as_number
from attention_ui.numbers import short

STEPS = 97


def hand_options(w: Tensor) -> list[float]:
    """Positions from the smallest to the largest w of the valley, three digits each."""
    low, high = float(w[0].log10()), float(w[-1].log10())
    return sorted({float(f"{10 ** (low + (high - low) * step / (STEPS - 1)):.3g}") for step in range(STEPS)})


def hand_slider(page: str, w: Tensor) -> tuple[float, list[float]]:
    """Draw the slider, which begins at w = 1, and return the chosen w and all its positions."""
    options = hand_options(w)

    def read(text: str) -> float | None:
        asked = as_number(text)
        return None if asked is None else next((w for w in options if math.isclose(w, asked, rel_tol=0.01)), None)

    chosen = select_slider(
        "Find the bottom of the valley by hand: drag w",
        {each: f"w {short(each)} · σ {short(1 / each)}" for each in options},
        min(options, key=lambda each: abs(each - 1)),
        key=f"{page}_hand",
        read=read,
    )
    return chosen, options
