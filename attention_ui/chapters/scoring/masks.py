"""Masks: padding and later tokens are hidden, each row still sums to 1, and what goes wrong otherwise."""

from dataclasses import replace
from typing import Literal

import streamlit as st
import torch

from attention_ui.chapters.scoring.computation_masks import (
    LENGTHS,
    SENTENCES,
    TOKENS,
    Masked,
    Masking,
    computation,
    masked,
)
from attention_ui.chapters.scoring.export import long, wide
from attention_ui.chapters.scoring.grids import show_grids
from attention_ui.chapters.scoring.grids_blocks import Grid, still_grids
from attention_ui.chapters.scoring.grids_masks import example_grids, mask_grids, mask_words, padded
from attention_ui.controls.widgets import slider, toggle
from attention_ui.export.code import code
from attention_ui.export.view import Export, View
from attention_ui.link.lesson import ask_with, hides
from attention_ui.numbers import short
from attention_ui.shown import show_formula

NAME = "masked-attention"  # of the files
PLACES = [str(place) for place in range(TOKENS)]
TIP = (
    "Queries down, keys across. Hatched keys are hidden from their query; × is a weight of exactly 0. A token's value "
    "is its place, 1 to 6."
)
OTHERWISE = " Set a valid length to **0** to see what happens otherwise."
FORMULA = r"w_{ij} = \frac{m_{ij}\, e^{a(q_i, k_j)}}{\sum_l m_{il}\, e^{a(q_i, k_l)}}, \quad m_{ij} \in \{0, 1\}"
QUESTION = "Switch **Causal mask** on. Why does the first query give all its weight to the first key?"


def show(page: str) -> View:
    """The choices, both sentences, and below them d2l's own example."""
    masking = controls(page)
    result = masked(masking)
    show_grids(f"{page}_masked", mask_grids(result, SENTENCES), mask_words(result), tip=TIP)
    words, picture = st.columns([5, 8], gap="medium")
    with words:
        captions(result)
        st.markdown(example_words(result))
    with picture:
        example(page, result)
    show_formula(FORMULA)
    ask_with(QUESTION, "mask_causal")
    code(page, lambda: computation(masking).script(NAME, title(masking)).text)
    return View(lambda: exported(masking))


def controls(page: str) -> Masking:
    """Draw the switches and the lengths."""
    *lengths, switches = st.columns([2, 2, 1])
    with switches, st.container(gap=None):
        causal = toggle("Causal mask", key=f"{page}_mask_causal")
        by_query = toggle("One length per query", key=f"{page}_mask_rows")
    chosen = []
    for place, words in enumerate(SENTENCES):
        with lengths[place]:
            label, off = f"Valid length of sentence {place}", by_query and place == 0
            chosen.append(_length(f"{page}_mask_{place}", label, len(words), disabled=off))
    first = _by_query(page) if by_query else (chosen[0],) * TOKENS
    return Masking((first, (chosen[1],) * TOKENS), causal)


def _by_query(page: str) -> tuple[int, ...]:
    """A length for every query of the first sentence."""
    found = []
    with st.container(horizontal=True, gap="medium"):  # two in a row on a phone, unlike columns
        for row in range(TOKENS):
            usual = min(row + 1, len(SENTENCES[0]))
            found.append(_length(f"{page}_mask_row_{row}", f"Query {row}", usual, 140))
    return tuple(found)


def _length(
    key: str, label: str, usual: int, width: int | Literal["stretch"] = "stretch", disabled: bool = False
) -> int:
    return slider(label, 0, TOKENS, usual, key=key, width=width, disabled=disabled)


def captions(result: Masked) -> None:
    """Say how far torch agrees, and what a query without any key gets."""
    text = f"torch's own `scaled_dot_product_attention` agrees **{_within(result.gap)}**. "
    if result.empty.any():
        st.markdown(text)
        st.warning(leak_words(result))
        return
    st.markdown(
        f"{text}Writing $-10^6$ over hidden scores gives the same weights ({_within(result.trick_gap)}) as long as "
        f"every query may attend to some key.{'' if hides('mask_0', 'mask_1') else OTHERWISE}"
    )


def _within(gap: float) -> str:
    return "to the last digit" if gap == 0 else f"to {gap:.0e}"


def leak_words(result: Masked) -> str:
    """What becomes of a query without any key, here and with the usual trick."""
    count, (batch, row) = int(result.empty.sum()), result.empty.nonzero()[0].tolist()
    weight, output = result.leaked[batch, row].max().item(), result.leaked_output[batch, row].item()
    same = torch.allclose(result.added[result.empty].double(), result.leaked[result.empty], atol=1e-6)
    return (
        f"{count} {'query has' if count == 1 else 'queries have'} no key to attend to: weights 0, output 0. Writing "
        f"$-10^6$ over the hidden scores makes them all equal, so softmax gives {short(weight)} to every hidden token "
        f"and the output is {short(output)}: padding counts."
        f"{' Adding $-10^9$ in float32 does the same.' if same else ''}"
    )


def example_words(result: Masked) -> str:
    """What d2l's worked example is, and what comes out."""
    return (
        f"**d2l's example, live**: additive attention, ten keys that are all ones, valid lengths 2 and 6. Outputs "
        f"{_rows(result)}: equal keys have equal scores, so each is the plain average of the first rows of the values."
    )


def _rows(result: Masked) -> str:
    return " and ".join(f"[{', '.join(map(short, row))}]" for row in result.example_output.tolist())


def example(page: str, result: Masked) -> None:
    """d2l's worked example, computed now."""
    grids = example_grids(result.example_output, result.example_weights, LENGTHS)
    tip = "The values are 0 to 39, four in a row. Whatever numbers the network has, the outputs stay the same."
    show_grids(f"{page}_example", grids, f"The outputs are {_rows(result)}.", tip=tip)


def title(masking: Masking) -> str:
    """What the picture shows, in a few words."""
    first, second = (f"{row[0]}" if len({*row}) == 1 else "one per query" for row in masking.lengths)
    causal = "causal, " if masking.causal else ""
    empty = int(masked(masking).empty.sum())
    blind = f", {empty} queries without a key" if empty else ""
    return f"Masked attention: {causal}valid lengths {first} and {second}{blind}"


def exported(masking: Masking) -> Export:
    """Weights and outputs under this mask, by masking and by the usual trick, and those of the example."""
    result = masked(masking)
    numbers = {"seen": result.seen, "weight": result.weights, "weight with -1e6": result.leaked}
    outputs = torch.stack([result.output, result.leaked_output], -1)  # (2, T, 2)
    words = [word for sentence in SENTENCES for word in padded(sentence, TOKENS)]
    outcome = wide(outputs.flatten(0, 1), words, ("output", "output with -1e6"), "token")
    outcome.insert(0, "sentence", [place for place, _ in enumerate(SENTENCES) for _ in range(TOKENS)])
    return Export(
        name=NAME,
        title=title(masking),
        figure=still_grids([*_sentences(result), *_example(result)], 2),
        tables={
            "weights": long(numbers, sentence=["0", "1"], query=PLACES, key=PLACES),
            "output": outcome,
            "example": wide(result.example_weights, ["0", "1"], [f"k{key}" for key in range(10)], "batch"),
        },
        computation=computation(masking),
    )


def _sentences(result: Masked) -> list[Grid | None]:
    """Both sentences beside each other, or each beside what the usual trick makes of it, if that is on the page."""
    shown = {grid.name: grid for grid in mask_grids(result, SENTENCES)}
    if not result.empty.any():
        return list(shown.values())
    return [shown.get(f"{kind} {sentence}") for sentence in range(len(SENTENCES)) for kind in ("weights", "leaked")]


def _example(result: Masked) -> list[Grid]:
    grids = example_grids(result.example_output, result.example_weights, LENGTHS)
    return [replace(grid, title=f"d2l's example: {grid.title}") for grid in grids]
