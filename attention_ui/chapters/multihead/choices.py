"""What a visitor chose: heads of several widths and how they are mixed, or heads on vectors and which are on."""

from dataclasses import dataclass

import streamlit as st

from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widgets import next_seed, pills, segmented, slider
from attention_ui.controls.width import keep_width, width_positions, width_slider
from attention_ui.controls.widths import width_options
from attention_ui.link.choice import note_text
from attention_ui.numbers import short

LEAST, MOST, STEP = -1.0, 2.0, 0.02  # of a share
SHARES = tuple(round(LEAST + STEP * i, 2) for i in range(round((MOST - LEAST) / STEP) + 1))
# What a link may say about the mixture; one that says some of it and no share is from before it began with the best.
MIXING = ("function", "n", "noise", "seed", "points", "count", *(f"head{h}_width" for h in range(1, 5)))
USUAL_WIDTHS = (0.069, 0.113, 0.02, 0.3)  # of the range of the keys, one for each head
FEWEST, MOST_HEADS = 2, 4
COUNTS, USUAL_COUNT = (1, 2, 4, 8), 4  # of heads on vectors


@dataclass(frozen=True)
class Mixture:
    """The points, every head's width, and the shares of the heads from the third on; the second takes the rest."""

    dataset: Dataset
    widths: tuple[float, ...]  # (H,)
    later: tuple[float, ...] = ()  # (H - 2,)


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
    """Draw the number of heads; a change of it is noted in the session, since it calls for other shares."""
    options = {count: str(count) for count in range(FEWEST, MOST_HEADS + 1)}
    return segmented("Heads", options, FEWEST, key=f"{page}_count", on_change=_note_change, args=(page,))


def _note_change(page: str) -> None:
    st.session_state[f"{page}_other_heads"] = True


def widths_controls(page: str, dataset: Dataset, heads: int) -> tuple[float, ...]:
    """Draw a width for every head."""
    widths = []
    for h in range(1, heads + 1):
        key, usual = f"{page}_head{h}", _usual_width(dataset, USUAL_WIDTHS[h - 1])
        widths.append(width_slider(key, width_positions(key, dataset, usual), f"Width σ of head {h}", short))
        keep_width(key, widths[-1], usual, along=False)
    return tuple(widths)


def later_controls(page: str, best: tuple[float, ...]) -> tuple[float, ...]:
    """Draw the share of every head from the third on, which begins with the best."""
    for h in range(FEWEST + 1, len(best) + 1):
        note_text(f"{page}_head{h}_part", "", same=lambda text: "")  # an old link had it; the share says the same
    numbered = enumerate(best[FEWEST:], FEWEST + 1)
    return tuple(
        slider(f"Share of head {h}", LEAST, MOST, usual, STEP, key=f"{page}_share{h}") for h, usual in numbered
    )


def _usual_width(dataset: Dataset, part: float) -> float:
    """The width that a head begins with: heads begin apart, also on data of another range; equal ones would be one."""
    span = dataset.high - dataset.low
    return min(width_options(span), key=lambda width: abs(width - part * span))


def layer_controls(page: str) -> Layer:
    """Draw the number of heads and the seed beside the page, and above the picture which heads are on."""
    with st.sidebar:
        heads = segmented("Heads", {count: str(count) for count in COUNTS}, USUAL_COUNT, key=f"{page}_vector_heads")
        seed = next_seed("Draw other numbers", key=f"{page}_seed_vectors")
    names = {head: str(head) for head in range(1, heads + 1)}
    lit = pills("Heads that are on", names, key=f"{page}_on_{heads}")
    return Layer(heads, seed, tuple(name in lit for name in names))
