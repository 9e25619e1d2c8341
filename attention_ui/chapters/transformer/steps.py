"""Step through decoding: one symbol at a time, where every head looks, and how likely each next symbol is."""

import streamlit as st

from attention_ui.chapters.transformer import decoding
from attention_ui.chapters.transformer.choices import asked
from attention_ui.chapters.transformer.decoding import TEMPERATURES, Writing, temperature_text
from attention_ui.chapters.transformer.export import decoding_export
from attention_ui.controls.widgets import select_slider, slider, toggle
from attention_ui.export.view import View
from attention_ui.figures.charts import code

MOST_SEEDS = 50
QUESTION = (
    "Play it once at T = 1. Then switch **Draw** on and raise T: at which temperature does it make its first mistake, "
    "and does it find its way back afterwards?"
)


def show(page: str) -> View:
    """The choices, the player, and the rule by which a symbol is chosen."""
    chosen, (heat, draw, which) = asked(page, 2.2, 0.9, 1.2)
    with heat:
        texts = {each: temperature_text(each) for each in TEMPERATURES}
        key = f"{page}_temperature"
        temperature = select_slider("Drag the temperature T", texts, 1.0, key=key, persist_state="page")
    with draw.container(key=f"{page}_drawing"):
        drawn = toggle("Draw", key=f"{page}_draw", persist_state="page")
    with which:
        seed = slider("Seed", 0, MOST_SEEDS, 0, key=f"{page}_seed", persist_state="page", disabled=not drawn)
    writing = Writing(chosen.model, chosen.text, seed if drawn else None)
    decoding.show(f"{page}_decoding", writing, key)
    st.latex(
        r"\begin{gathered} p = \operatorname{softmax}(\text{logits} / T) \\ \text{next symbol: } "
        + (r"\text{drawn from } p \end{gathered}" if drawn else r"\operatorname{argmax}\, p \end{gathered}")
    )
    st.info(QUESTION)
    code(page, lambda: decoding_export(chosen, writing.seed, temperature).with_core().text)
    return View(lambda: decoding_export(chosen, writing.seed, temperature))
