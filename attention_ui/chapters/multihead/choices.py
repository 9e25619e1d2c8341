"""What a visitor chose: heads of several widths and how they are mixed, or heads on vectors and which are on."""

from dataclasses import dataclass

import streamlit as st

from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widgets import pills, segmented, slider
from attention_ui.controls.width import keep_width, width_options, width_positions, width_slider
from attention_ui.numbers import short

USUAL_WIDTHS = (0.069, 0.113, 0.02, 0.3)  # of the range of the keys, one for each head
FEWEST, MOST_HEADS = 2, 4
COUNTS, USUAL_COUNT = (1, 2, 4, 8), 4  # of heads on vectors


@dataclass(frozen=True)
class Mixture:
    """The points, every head's width, and how the heads after the first share what it leaves."""

    dataset: Dataset
    widths: tuple[float, ...]  # (H,)
    others: tuple[float, ...] = (1.0,)  # (H - 1,), sum to 1


@dataclass(frozen=True)
class Layer:
    """How many heads share the width, which of them are on, and what everything is drawn from."""

    heads: int = 4
    seed: int = 0
    on: tuple[bool, ...] = (True,) * 4

    @property
    def titles(self) -> list[str]:
        """What each head is called."""
        return [f"Head {h}" if lit else f"Head {h}, off" for h, lit in enumerate(self.on, 1)]


def heads_control(page: str) -> int:
    """Draw the number of heads."""
    options = {count: str(count) for count in range(FEWEST, MOST_HEADS + 1)}
    return segmented("Heads", options, FEWEST, key=f"{page}_count")


def mixture_controls(page: str, dataset: Dataset, heads: int) -> Mixture:
    """Draw a width for every head, and from the third on a share of what the first leaves."""
    widths, parts = [], [1.0]
    for h, place in enumerate(st.columns(heads, gap="medium"), 1):
        with place:
            key = f"{page}_head{h}"
            usual = _usual_width(dataset, USUAL_WIDTHS[h - 1])
            widths.append(width_slider(key, width_positions(key, dataset, usual), f"Width σ of head {h}", short))
            keep_width(key, widths[-1], usual)
            if h > FEWEST:
                label = f"Head {h}'s part of the rest (head 2 has 100)"
                parts.append(slider(label, 0, 200, 50, 5, key=f"{key}_part") / 100)
    return Mixture(dataset, tuple(widths), tuple(part / sum(parts) for part in parts))


def _usual_width(dataset: Dataset, part: float) -> float:
    """The width that a head begins with: heads begin apart, also on data of another range; equal ones would be one."""
    span = dataset.high - dataset.low
    return min(width_options(span), key=lambda width: abs(width - part * span))


def layer_controls(page: str) -> Layer:
    """Draw the number of heads, which are on, and the seed."""
    counts, switches, draw = st.columns([2, 4, 2], gap="medium")
    with counts:
        heads = segmented("Heads", {count: str(count) for count in COUNTS}, USUAL_COUNT, key=f"{page}_vector_heads")
    with switches:
        names = {head: str(head) for head in range(1, heads + 1)}
        lit = pills("Heads that are on (click to switch off)", names, key=f"{page}_on_{heads}")
    with draw:
        seed = slider("Draw other numbers", 0, 9, 0, key=f"{page}_seed_vectors")
    return Layer(heads, seed, tuple(name in lit for name in names))
