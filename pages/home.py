"""Home: one slider, one curve, one heatmap; the whole idea in one gesture."""

import streamlit as st

from attention_ui.chapters.home import views as home
from attention_ui.contents import CHAPTERS
from attention_ui.controls.dataset import Dataset
from attention_ui.export.dialog import close
from attention_ui.export.view import View
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment
from attention_ui.shown import show_formula

tools = open_page(
    "Attention is a weighted average",
    "Every prediction is an average of values, **weighted by closeness**. The width decides what counts as close.",
)
home.style()


@fragment  # a new width touches nothing below, so only this much runs again
def gesture() -> View:
    """The slider and the stage."""
    return home.first_gesture(Dataset())


view = gesture()

st.markdown(
    "Attention Lab lets you see attention at work, from a plain average to a Transformer, and move every part of it. "
    "PyTorch computes each number while you look, and the link in your address bar keeps what you set."
)

st.header("One equation, many scores", anchor=False)
show_formula(r"\text{output} = \operatorname{softmax}\big(\operatorname{score}(q, k)\big)\, v")
st.markdown(home.score_words())
home.show_scores()

st.header("Where to go from here", anchor=False)
home.chapter_cards(CHAPTERS)
close(tools, view)
