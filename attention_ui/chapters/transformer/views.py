"""The views of the chapter by their ids: the diagram to open, all heads, decoding step by step, and training."""

from collections.abc import Callable

import streamlit as st

from attention_ui.chapters.transformer import decoding, diagram, train_live
from attention_ui.chapters.transformer.choices import Asked, asked, open_tensor, take_tensor
from attention_ui.chapters.transformer.decoding import TEMPERATURES, Writing, temperature_text
from attention_ui.chapters.transformer.export import all_heads, block_export, decoding_export, heads_export
from attention_ui.chapters.transformer.models import REVERSE, look
from attention_ui.chapters.transformer.pictures import heads_picture
from attention_ui.controls.widgets import next_seed, select_slider, toggle
from attention_ui.export.code import code
from attention_ui.export.view import View
from attention_ui.link.lesson import ask_with
from attention_ui.pictures.picture import pack, show_picture
from attention_ui.shared import shared
from attention_ui.shown import show_formula

MOST_SEEDS = 50
OPENED_FORMULA = (
    r"\begin{gathered} "
    r"\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\Big(\frac{Q K^\top}{\sqrt{D}}\Big) V "
    r"\\ x \leftarrow \operatorname{norm}\big(x + f(x)\big) \end{gathered}"
)
PRE_NORM = OPENED_FORMULA.replace(r"\operatorname{norm}\big(x + f(x)\big)", r"x + f\big(\operatorname{norm}(x)\big)")
OPENED_QUESTION = (
    "Type **11111** and open the encoder's **Embedding**: five equal rows. In which block do they begin to differ? "
    "Then find the only kind of block in which one position takes numbers from another."
)
HEADS_FORMULA = (
    r"\begin{gathered} "
    r"\text{head}_h = \operatorname{softmax}\!\Big(\frac{(X W_q^h)(Y W_k^h)^\top}{\sqrt{D}}\Big)\, Y W_v^h "
    r"\\ Y = X, \text{ or what the encoder read} \end{gathered}"
)
HEADS_QUESTION = (
    "In which kind of attention do the large weights run from the upper right to the lower left, and why? "
    "Then add digits one by one until the answer is wrong. Which heads change first?"
)
DECODING_QUESTION = (
    "Play it once at $T = 1$. Then switch **Sample** on and raise $T$: at which $T$ does it make its first "
    "mistake? Are the symbols after the mistake right again?"
)


def opened(page: str) -> View:
    """The digits, the diagram with one tensor open, and what is behind it."""
    chosen = asked(page)
    tensor = open_tensor(page, chosen.model)
    diagram.show(f"{page}_diagram", chosen.model, chosen.text, tensor, lambda: take_tensor(page))
    show_formula(PRE_NORM if chosen.model.config.norm_first else OPENED_FORMULA)
    ask_with(OPENED_QUESTION, "text")
    code(page, lambda: block_export(chosen, tensor).with_core().text)
    return View(lambda: block_export(chosen, tensor), chosen.afterwards)


def heads(page: str) -> View:
    """The digits, and a heatmap for each head."""
    chosen = asked(page)
    text = look(chosen.model, chosen.text).text
    right = (
        "which is right" if text.output == REVERSE.solve(chosen.text) else f"but {REVERSE.solve(chosen.text)} is right"
    )
    short = " **L2 H1** is head 1 of layer 2." if len(text.cross) > 1 else ""
    words = f"It writes **{text.output or 'nothing'}**, {right}. Each row sums to 1.{short}"
    st.markdown(words)
    show_picture(f"{page}_heads_picture", packed_heads(chosen))
    show_formula(HEADS_FORMULA)
    ask_with(HEADS_QUESTION, "text")
    code(page, lambda: heads_export(chosen).with_core().text)
    return View(lambda: heads_export(chosen), chosen.afterwards)


@shared
def packed_heads(chosen: Asked) -> bytes:
    """The heatmaps as bytes."""
    return pack(heads_picture(all_heads(chosen)))


def steps(page: str) -> View:
    """The choices, the player, and the rule by which a symbol is chosen."""
    chosen = asked(page)
    heat, draw, which = st.columns([2.2, 1, 1.2], gap="medium", vertical_alignment="bottom")
    with heat:
        texts = {each: temperature_text(each) for each in TEMPERATURES}
        key = f"{page}_temperature"
        temperature = select_slider("Drag the temperature T", texts, 1.0, key=key, persist_state="page")
    with draw:
        drawn = toggle("Sample", key=f"{page}_draw", persist_state="page")
    with which:
        seed = next_seed("Seed {}: take another", key=f"{page}_seed", last=MOST_SEEDS, disabled=not drawn)
    writing = Writing(chosen.model, chosen.text, seed if drawn else None)
    decoding.show(page, writing, key)
    show_formula(
        r"\begin{gathered} p = \operatorname{softmax}(\text{logits} / T) \\ \text{next symbol: } "
        + (r"\text{drawn from } p \end{gathered}" if drawn else r"\operatorname{argmax}\, p \end{gathered}")
    )
    ask_with(DECODING_QUESTION, "draw", "temperature")
    code(page, lambda: decoding_export(chosen, writing.seed, temperature).with_core().text)
    return View(lambda: decoding_export(chosen, writing.seed, temperature), chosen.afterwards)


VIEWS: dict[str, Callable[[str], View]] = {
    "open_it": opened,
    "all_heads": heads,
    "steps": steps,
    "training": train_live.show,
}
TABS = {
    "open_it": "Open it",
    "all_heads": "All heads",
    "steps": "Step through decoding",
    "training": "Train live",
}
