"""All heads: every head of every layer on one scale, for the visitor's digits."""

from functools import lru_cache

import streamlit as st

from attention_ui.chapters.transformer.choices import Asked, asked
from attention_ui.chapters.transformer.export import all_heads, heads_export
from attention_ui.chapters.transformer.models import REVERSE, look
from attention_ui.chapters.transformer.pictures import heads_picture
from attention_ui.export.view import View
from attention_ui.figures.charts import code
from attention_ui.pictures.picture import pack, show_picture

FORMULA = (
    r"\begin{gathered} "
    r"\text{head}_h = \operatorname{softmax}\!\Big(\frac{(X W_q^h)(Y W_k^h)^\top}{\sqrt{D}}\Big)\, Y W_v^h "
    r"\\ Y = X, \text{ or what the encoder read} \end{gathered}"
)
QUESTION = (
    "In one kind of attention a head draws the diagonal that runs the wrong way: which, and why must it? "
    "Then add digits one by one until the answer breaks. Which heads lose their way first?"
)


def show(page: str) -> View:
    """The digits, and a heatmap for each head."""
    chosen, (told,) = asked(page, 3.2)
    text = look(chosen.model, chosen.text).text
    right = "right" if text.output == REVERSE.solve(chosen.text) else f"but {REVERSE.solve(chosen.text)} is right"
    short = " **L2 H1** is head 1 of layer 2." if len(text.cross) > 1 else ""
    words = f"It writes **{text.output or 'nothing'}**, {right}. Every row of weights sums to 1.{short}"
    told.container(key=f"{page}_told").markdown(words)
    show_picture(f"{page}_heads_picture", packed(chosen))
    st.latex(FORMULA)
    st.info(QUESTION)
    code(page, lambda: heads_export(chosen).with_core().text)
    return View(lambda: heads_export(chosen))


@lru_cache(32)
def packed(chosen: Asked) -> bytes:
    """The heatmaps as bytes."""
    return pack(heads_picture(all_heads(chosen)))
