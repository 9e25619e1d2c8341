"""A sentence typed by a visitor, and the order its words stand in: validated, and kept in the link."""

import random
from collections.abc import Sequence

import streamlit as st

from attention_core.checks import InputError
from attention_ui.controls.widgets import text as text_field
from attention_ui.link.choice import Choice, kept, note
from attention_ui.reading.wording import literal

USUAL = "the cat sat on the mat"
FEWEST, MOST, LONGEST = 2, 12, 16


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
    text = text_field("Your sentence, 2 to 12 words", USUAL, key=f"{page}_text", max_chars=220)
    try:
        return words_of(text)
    except InputError as error:
        st.warning(f"{literal(str(error))} Showing “{USUAL}” instead.")
        return words_of(USUAL)


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
    """Shuffle, reverse, and back to what was typed."""
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
