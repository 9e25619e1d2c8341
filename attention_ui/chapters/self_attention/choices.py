"""What a visitor chose: a sentence, the order of its words, and how they look at each other; all in the link."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from attention_core.checks import InputError
from attention_core.demos.self_attention import PROJECTIONS
from attention_ui.controls import widgets
from attention_ui.controls.widgets import segmented, text_field, toggle
from attention_ui.link.choice import Choice, kept, note
from attention_ui.reading.literal import literal

USUAL_TEXT = "the cat sat on the mat"
FEWEST, MOST, LONGEST = 2, 12, 16
USUAL_PROJECTION = "same"


@dataclass(frozen=True)
class Asked:
    """The words as typed, the order they stand in, and how they look at each other."""

    words: tuple[str, ...]
    order: tuple[int, ...]
    projection: str = USUAL_PROJECTION
    causal: bool = False
    seed: int = 0

    @property
    def moved(self) -> bool:
        """Whether the words stand otherwise than they were typed."""
        return self.order != tuple(range(len(self.words)))


def controls(page: str) -> Asked:
    """Draw the sentence, its order, the projections and the mask."""
    typed, buttons = st.columns([3, 2], vertical_alignment="bottom", gap="medium")
    with typed:
        words = sentence(page)
    with buttons:
        order_buttons(page, len(words))
    looks, mask, draw = st.columns([3, 2, 2], vertical_alignment="center", gap="medium")
    with looks:
        labels = {name: projection.label for name, projection in PROJECTIONS.items()}
        chosen = segmented("What a word looks for", labels, USUAL_PROJECTION, key=f"{page}_look")
    with mask:
        causal = toggle("Causal: no word sees the next", key=f"{page}_causal")
    with draw:
        seed = widgets.slider("Draw other vectors", 0, 9, 0, key=f"{page}_seed")
    return Asked(words, order_of(page, len(words)), chosen, causal, seed)


def words_of(text: str) -> tuple[str, ...]:
    """The words between blanks, or one sentence that says what is wrong with them."""
    words = tuple(text.split())
    if not FEWEST <= len(words) <= MOST:
        are = "is 1" if len(words) == 1 else f"are {len(words)}"
        raise InputError(f"The sentence must have {FEWEST} to {MOST} words; there {are}.")
    if any(len(word) > LONGEST or not word.isprintable() for word in words):
        raise InputError(f"Each word must have 1 to {LONGEST} printable letters.")
    return words


def sentence(page: str) -> tuple[str, ...]:
    """Draw the field; where it cannot be used it says why, and the usual sentence stands in."""
    text = text_field("Your sentence, 2 to 12 words", USUAL_TEXT, key=f"{page}_text", max_chars=220)
    try:
        return words_of(text)
    except InputError as error:
        st.warning(f"{literal(str(error))} Showing “{USUAL_TEXT}” instead.")
        return words_of(USUAL_TEXT)


def order_of(page: str, count: int) -> tuple[int, ...]:
    """Where the words stand now: from the last button, else from the link; as typed when that fits no such sentence."""
    typed = tuple(range(count))
    choice = Choice(f"{page}_order", typed, lambda text: parsed_order(text) or None, _written)
    order = kept(choice)
    return note(choice, order if tuple(sorted(order)) == typed else typed)


def _written(order: tuple[int, ...]) -> str:
    return ".".join(map(str, order))


def parsed_order(text: str) -> tuple[int, ...]:
    """Whole numbers between dots; nothing where it is something else."""
    parts = text.split(".")
    fits = len(parts) <= MOST and all(part.isascii() and part.isdigit() and len(part) <= 2 for part in parts)
    return tuple(map(int, parts)) if fits else ()


def order_buttons(page: str, count: int) -> None:
    """Draw the buttons that shuffle, reverse and restore the order of the words."""
    acts = {"Shuffle": _shuffled, "Reverse": _reversed, "As typed": _typed}
    with st.container(horizontal=True, gap="small"):
        for name, act in acts.items():
            key = f"{page}_{name.lower().replace(' ', '_')}"
            st.button(name, key=key, on_click=_take, args=(page, count, act))


def _take(page: str, count: int, act: object) -> None:
    assert callable(act)
    st.session_state[f"{page}_order"] = act(order_of(page, count))


def _shuffled(order: tuple[int, ...]) -> tuple[int, ...]:
    """Another order that follows from this one alone: a class that presses together sees the same."""
    draw, new = random.Random(repr(order)), list(order)
    while tuple(new) == order:
        draw.shuffle(new)
    return tuple(new)


def _reversed(order: tuple[int, ...]) -> tuple[int, ...]:
    return order[::-1]


def _typed(order: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(order))
