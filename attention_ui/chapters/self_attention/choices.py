"""What a visitor chose: a sentence, the order of its words, and how they attend to each other; all in the link."""

import random
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from attention_core.checks import InputError
from attention_core.demos.self_attention import PROJECTIONS
from attention_ui.controls.widgets import next_seed, segmented, text_field, toggle
from attention_ui.link.choice import Choice, kept, note
from attention_ui.reading.literal import literal

USUAL_TEXT = "the cat sat on the mat"
FEWEST, MOST, LONGEST = 2, 12, 16
USUAL_PROJECTION = "same"
NO_BLANKS = ("CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")


@dataclass(frozen=True)
class Asked:
    """The words as typed, the order they stand in, and how they attend to each other."""

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
    """Draw the sentence, its order, the matrices and the mask, all in one row where there is room."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        words = sentence(page)
        order_buttons(page, len(words))
        labels = {name: projection.label for name, projection in PROJECTIONS.items()}
        chosen = segmented("What a word attends to", labels, USUAL_PROJECTION, key=f"{page}_look", width="content")
        with st.container(width="content", gap=None):
            seed = next_seed("Draw other vectors", key=f"{page}_seed")
        causal = toggle("Causal mask", key=f"{page}_causal", help="No word attends to a later one.", width="content")
    return Asked(words, order_of(page, len(words)), chosen, causal, seed)


def words_of(text: str) -> tuple[str, ...]:
    """The words between blanks, or the characters where a script has no blanks; else one sentence on what is wrong."""
    words = tuple(part for piece in text.split() for part in _parts(piece))
    if not FEWEST <= len(words) <= MOST:
        are = "is 1" if len(words) == 1 else f"are {len(words)}"
        raise InputError(f"The sentence must have {FEWEST} to {MOST} words; there {are}.")
    if any(len(word) > LONGEST or not word.isprintable() for word in words):
        raise InputError(f"Each word must have 1 to {LONGEST} printable letters.")
    return words


def _parts(piece: str) -> list[str]:
    """A piece of text without blanks: one word, with every character of a script that has no blanks for itself.

    Marks and punctuation stay with what is before them.
    """
    parts: list[str] = []
    for sign in piece:
        stays = bool(parts) and (unicodedata.category(sign)[0] in "MP" or not (_alone(sign) or _alone(parts[-1][0])))
        parts[-1:] = [parts[-1] + sign] if stays else [*parts[-1:], sign]
    return parts


def _alone(sign: str) -> bool:
    """Whether a character belongs to a script that is written without blanks."""
    return unicodedata.name(sign, "").startswith(NO_BLANKS)


def sentence(page: str) -> tuple[str, ...]:
    """Draw the field; where it cannot be used it says why, and the usual sentence stands in."""
    text = text_field("Your sentence, 2 to 12 words", USUAL_TEXT, key=f"{page}_text", max_chars=220, width=195)
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
    with st.container(horizontal=True, gap="small", width="content"):
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
