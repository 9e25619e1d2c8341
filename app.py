"""Attention Lab: the table of contents. `make run` serves it; `streamlit run app.py` works as well."""

import streamlit as st

from attention_ui import layout
from attention_ui.chapters import CHAPTERS, HOME

st.set_page_config(page_title="Attention Lab", page_icon="🔦", layout="wide")
layout.apply()

home = st.Page(HOME.file, title=HOME.title, default=True)
chapters = [st.Page(c.file, title=c.title, url_path=c.name) for c in CHAPTERS]
st.navigation([home, *chapters], position="top").run()
