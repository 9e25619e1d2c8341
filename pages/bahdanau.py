"""Alignment learned before your eyes: a decoder that looks back at what was read, for every symbol it writes."""

import streamlit as st

from attention_ui.chapters.bahdanau.views import TABS, VIEWS
from attention_ui.controls.tab import open_tab
from attention_ui.export import offer
from attention_ui.figures.charts import code
from attention_ui.frame.layout import open_page

tools = open_page(
    "Learn where to look while writing",
    "One vector for a whole text is a bottleneck. Let the writer **look back at every symbol**, and it learns where.",
)
snippet, export, last = VIEWS[open_tab("bahdanau", TABS)]()
st.latex(
    r"\begin{gathered} e_{t,i} = a(s_{t-1}, h_i) \\ \alpha_{t,i} = \operatorname{softmax}_i(e_{t,i}) \\ "
    r"c_t = \sum_i \alpha_{t,i}\, h_i \end{gathered}"
)
st.caption("a is the additive score of Bahdanau, Cho and Bengio (2015): v · tanh(W s + U h), learned with the rest.")
code("bahdanau", snippet)
offer(tools, export)

last()  # training takes a while: whatever is clicked meanwhile, or a closed tab, ends it
