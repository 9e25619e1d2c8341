"""The hand's slider over w, evenly in log w."""

import streamlit as st
from torch import Tensor

from attention_ui.numbers import short

STEPS = 97


def hand_options(w: Tensor) -> list[float]:
    """Positions from the smallest to the largest w of the valley, three digits each."""
    low, high = float(w[0].log10()), float(w[-1].log10())
    return sorted({float(f"{10 ** (low + (high - low) * step / (STEPS - 1)):.3g}") for step in range(STEPS)})


def hand_slider(page: str, w: Tensor) -> tuple[float, list[float]]:
    """Draw the slider, which begins at w = 1, and return the chosen w and all its positions."""
    options = hand_options(w)
    chosen: float = st.select_slider(
        "Find the bottom of the valley by hand: drag w",
        options,
        min(options, key=lambda each: abs(each - 1)),
        format_func=lambda each: f"w {short(each)} · σ {short(1 / each)}",
        key=f"{page}_hand",
        bind="query-params",
    )
    return chosen, options
