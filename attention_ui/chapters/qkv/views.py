"""The one view of this chapter: the diagram, and the numbers that follow from the choices."""

import streamlit as st

from attention_ui.chapters.qkv import diagram, explanation
from attention_ui.chapters.qkv.choices import DIAGRAM, samples_taken
from attention_ui.chapters.qkv.export import exported, script
from attention_ui.chapters.qkv.hard_attention import sample_keys
from attention_ui.chapters.qkv.space import Asked
from attention_ui.export.code import code
from attention_ui.export.view import View
from attention_ui.link.lesson import ask_with
from attention_ui.shown import show_formula


def show(asked: Asked, hard: bool) -> View:
    """Show what the query gets from the keys by soft or by hard attention."""
    picture = st.container()
    last = sample_keys(asked) if hard else None
    with picture:
        diagram.show(DIAGRAM, asked, explanation.alternative(asked), last)
    meaning, question = st.columns(2, gap="large", vertical_alignment="center")
    with meaning:
        for formula in explanation.FORMULAS:
            show_formula(formula)
    with question:
        ask_with(explanation.QUESTION, "temperature")
    samples = samples_taken() if hard else None
    code("qkv", lambda: script(asked, samples))
    return View(lambda: exported(asked, samples))
