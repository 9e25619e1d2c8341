"""Words that ask each other: type a sentence, change its order, and drag how strongly positions count."""

from functools import lru_cache

import streamlit as st
from torch import Tensor

from attention_core.demos.self_attention import PLACE, PROJECTIONS, WIDTH
from attention_ui.chapters.self_attention.calls import STEPS, frames, hidden, tokens_ran
from attention_ui.chapters.self_attention.choices import Asked, controls
from attention_ui.chapters.self_attention.export import tokens_export, tokens_script
from attention_ui.controls import widgets
from attention_ui.export.view import View
from attention_ui.figures.charts import code
from attention_ui.numbers import short
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture, Readout, pack, show_picture

WEIGHTS = Names("word", "word", "weight", "words that ask", "words that answer")
OUTPUTS = Names("word", "number", "value", "words", f"the {WIDTH} numbers of their outputs")
ROUNDING = 1e-12  # a smaller change is none
HEIGHT, TWO = 350, 440  # pixels of a row of pictures, and of two outputs above each other
FORMULA = r"""\begin{gathered}
x_i = \text{word}_i + s\,P_i \\
\text{output} = \operatorname{softmax}\!\Big(\frac{(X W_q)(X W_k)^\top}{\sqrt d}\Big) X W_v
\end{gathered}"""
QUESTION = (
    "Press **Shuffle** at position strength 0: what changes, and what does not? "
    "Choose **Word before** and drag the strength: why does it see nothing at 0?"
)


def show(page: str) -> View:
    """The sentence, the live strength, the weights and the outputs that follow it."""
    asked = controls(page)
    slider = f"{page}_strength"
    label = "Drag the strength s of the positions, from words alone to words in their places"
    strength = widgets.slider(label, 0, STEPS - 1, 0, format="%d %%", key=slider)
    heatmaps, outputs = st.columns(2, gap="medium")
    with heatmaps:
        show_picture(f"{page}_weights_picture", packed_weights(asked, slider))
    with outputs:
        show_picture(f"{page}_outputs_picture", packed_outputs(asked, slider))
    st.markdown(in_words(asked, strength))
    st.latex(FORMULA)
    st.caption(
        f"A word's vector is drawn from its letters and fills the numbers {PLACE + 1} to {WIDTH}; its position, "
        f"sines and cosines, fills 1 to {PLACE}."
    )
    st.info(QUESTION)
    code(page, lambda: tokens_script(asked, strength))
    return View(lambda: tokens_export(asked, strength))


@lru_cache(32)
def packed_weights(asked: Asked, slider: str) -> bytes:
    """Who asks whom at every strength, as typed and in the new order, as bytes."""
    shown = frames(asked)
    told: tuple[Readout, ...] = ()
    if asked.moved:
        told = (Readout("Largest change of any word's output", tuple(map(change_text, shown["change"].tolist()))),)
    panels = tuple(
        Heatmap(title, shown[f"{prefix}weights"], words, words, hidden(asked))
        for prefix, title, words in _orders(asked)
    )
    made = Picture(
        panels,
        _captions(),
        told,
        slider=slider,
        low=0.0,
        high=1.0,
        names=WEIGHTS,
        height=HEIGHT,
    )
    return pack(made)


@lru_cache(32)
def packed_outputs(asked: Asked, slider: str) -> bytes:
    """Every word's output at every strength, as typed and in the new order, as bytes; 0 in the middle of the scale."""
    columns = tuple(str(number + 1) for number in range(WIDTH))
    titles = ("Outputs, as typed", "Outputs, in the new order") if asked.moved else ("Outputs",)
    panels = tuple(
        Heatmap(title, frames(asked)[f"{prefix}output"], words, columns)
        for title, (prefix, _, words) in zip(titles, _orders(asked), strict=True)
    )
    high = TWO if asked.moved else HEIGHT
    far = max(panel.frames.abs().max().item() for panel in panels)
    return pack(Picture(panels, _captions(), slider=slider, low=-far, high=far, names=OUTPUTS, across=1, height=high))


def _orders(asked: Asked) -> list[tuple[str, str, tuple[str, ...]]]:
    """What its numbers are called, the title and the words of each picture."""
    if not asked.moved:
        return [("", "Who looks at whom", asked.words)]
    moved = tuple(asked.words[place] for place in asked.order)
    return [("typed_", "As typed", asked.words), ("", "In the new order", moved)]


def _captions() -> tuple[str, ...]:
    return tuple(f"position strength {percent} %" for percent in range(STEPS))


def change_text(change: float) -> str:
    """The change in words: 0 where only rounding is left."""
    return "0" if change < ROUNDING else short(change)


def in_words(asked: Asked, percent: int) -> str:
    """What the projections look for, and what the new order has done to the outputs."""
    text, shown = f"{PROJECTIONS[asked.projection].note} ", tokens_ran(asked, percent).shown
    if not asked.moved:
        return text + same_words(asked.words, shown["output"])
    change = shown["change"].item()
    if change < ROUNDING:
        return (
            f"{text}**Rearranged, and every word's output is what it was**: the largest change is "
            f"**{change_text(change)}** ({change:.0e} before rounding). Without positions there is no order."
        )
    why = "the mask tells them apart by order" if asked.causal and percent == 0 else "they know where they stand"
    return f"{text}**The new order changes what words get**, by up to **{change_text(change)}**: {why}."


def same_words(words: tuple[str, ...], output: Tensor) -> str:
    """Whether two of the same word get the same output."""
    lower = [word.lower() for word in words]
    twice = next((i for i, word in enumerate(lower) if word in lower[:i]), None)
    if twice is None:
        return "Rearrange the words and see what becomes of their outputs."
    apart = (output[twice] - output[lower.index(lower[twice])]).abs().max().item()
    first, second = lower.index(lower[twice]) + 1, twice + 1
    return f"Words {first} and {second} are the same word; their outputs differ by **{change_text(apart)}**."
