"""What hangs in the gallery of heatmaps: which patterns, how large, how sharp, and which row is read."""

from dataclasses import dataclass

import streamlit as st

from attention_core.demos.patterns import PATTERNS
from attention_ui.controls.widgets import pills, segmented, select_slider, slider, toggle
from attention_ui.numbers import short

# Even steps in log sharpness from a tenth to ten; 1 is among them.
SHARPNESSES = tuple(float(f"{10 ** (step / 12):.3g}") for step in range(-12, 13))
FEWEST, MOST, USUAL = 4, 24, 10  # positions
WIDEST = 6  # band
SOURCES = {"patterns": "Patterns", "own": "Your own"}


@dataclass(frozen=True)
class Chosen:
    """What the patterns are made of; equal choices make equal pictures."""

    names: tuple[str, ...] = tuple(PATTERNS)
    n: int = USUAL
    band: int = 1
    shared: bool = True  # one colour scale for all


def source(page: str) -> str:
    """Draw the choice between the patterns and own weights."""
    return segmented("Show", SOURCES, "patterns", key=f"{page}_source")


def shared_scale(page: str) -> bool:
    """Draw the choice of one colour scale for all pictures or one for each."""
    return toggle(
        "One colour scale for all",
        True,
        key=f"{page}_shared",
        help="Off: every picture is coloured up to its own largest weight.",
    )


def pattern_controls(page: str) -> Chosen:
    """Draw the choice of patterns, their size and their band; all stand in the link."""
    labels = {name: pattern.label for name, pattern in PATTERNS.items()}
    picked = pills("Patterns", labels, key=f"{page}_patterns")
    n = slider("Positions n", FEWEST, MOST, USUAL, key=f"{page}_n")
    band = slider(
        "Band",
        0,
        WIDEST,
        1,
        key=f"{page}_band",
        help="In Banded: how far a neighbour may be. In Blocks: the size of a block minus 1.",
    )
    return Chosen(tuple(picked) or tuple(PATTERNS), n, band, shared_scale(page))


def sharpness_slider(page: str) -> float:
    """Draw the one slider that changes every picture at once."""
    return select_slider(
        "Sharpness: what the scores are multiplied by before softmax (1 / temperature)",
        {sharpness: short(sharpness) for sharpness in SHARPNESSES},
        1.0,
        key=f"{page}_sharpness",
    )


def row_slider(page: str, queries: int) -> int:
    """Draw the choice of the query whose row is read; a row that is no longer there gives way to the last."""
    key = f"{page}_row"
    if queries == 1:
        return 0
    if st.session_state.get(key, 0) >= queries:
        st.session_state[key] = queries - 1
    return slider("Read the row of query", 0, queries - 1, queries // 2, key=key)
