"""One query, six key-value pairs: drag the query and see which values answer it."""

import streamlit as st

from attention_ui.chapters.qkv import diagram, words
from attention_ui.chapters.qkv.choices import DIAGRAM, controls, take_query
from attention_ui.chapters.qkv.export import exported, looks_taken, script
from attention_ui.chapters.qkv.hard_attention import look_around
from attention_ui.export.dialog import offer
from attention_ui.export.view import View
from attention_ui.figures.charts import code
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment

tools = open_page(
    "A query meets keys, and values answer",
    "Drag the query **q**. The closer a key, the more its value counts: the output is a **weighted average**.",
)


@fragment  # a new question touches nothing outside, so only this much runs again
def ask() -> View:
    """The choices, the diagram, and the numbers that follow from them."""
    asked, hard = controls()
    picture = st.container()
    last = look_around(asked) if hard else None
    with picture:
        diagram.show(DIAGRAM, asked, words.alternative(asked), last, take_query)

    numbers, meaning = st.columns([6, 5], gap="large", vertical_alignment="center")
    with numbers.container(key="qkv_numbers"):
        st.markdown(words.table(asked))
    with meaning:
        for formula in words.FORMULAS:
            st.latex(formula)
        st.info(words.QUESTION)
    looks = looks_taken() if hard else None
    code("qkv", lambda: script(asked, looks))
    return View(lambda: exported(asked, looks))


view = ask()
offer(tools, view.export)
view.afterwards()
