"""Open it: the block diagram is the table of contents of the computation, and every block shows its tensor."""

import streamlit as st

from attention_ui.chapters.transformer import diagram
from attention_ui.chapters.transformer.choices import asked, open_tensor, take_tensor
from attention_ui.chapters.transformer.export import block_export
from attention_ui.export.view import View
from attention_ui.figures.charts import code

FORMULA = (
    r"\begin{gathered} "
    r"\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\Big(\frac{Q K^\top}{\sqrt{D}}\Big) V "
    r"\\ x \leftarrow \operatorname{norm}\big(x + f(x)\big) \end{gathered}"
)
PRE_NORM = FORMULA.replace(r"\operatorname{norm}\big(x + f(x)\big)", r"x + f\big(\operatorname{norm}(x)\big)")
QUESTION = (
    "Type **11111** and open the encoder's **Embedding**: five equal rows. In which block do they begin to differ? "
    "Then find the one kind of block in which positions hear of each other."
)


def show(page: str) -> View:
    """The digits, the diagram with one tensor open, and what is behind it."""
    chosen, (told,) = asked(page, 3.2)
    tensor = open_tensor(page, chosen.model)
    told.container(key=f"{page}_told").markdown(
        "Click a block, or walk with the arrow keys, to see the numbers that it makes."
    )
    diagram.show(f"{page}_diagram", chosen.model, chosen.text, tensor, lambda: take_tensor(page))
    st.latex(PRE_NORM if chosen.model.config.norm_first else FORMULA)
    st.info(QUESTION)
    code(page, lambda: block_export(chosen, tensor).with_core().text)
    return View(lambda: block_export(chosen, tensor))
