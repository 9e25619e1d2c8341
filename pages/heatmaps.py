"""A heatmap shows which query attends to which key, all at once."""

import streamlit as st

from attention_ui.chapters.heatmaps.choices import source
from attention_ui.chapters.heatmaps.views import VIEWS
from attention_ui.export.dialog import close
from attention_ui.frame.layout import open_page

tools = open_page(
    "Which query attends to which key",
    "One row per query, one column per key; a stronger colour is a larger weight. **Softmax makes each row sum to 1.**",
)
with st.sidebar:
    showing = source("heatmaps")
close(tools, VIEWS[showing]("heatmaps"))
