"""Attention Lab: the table of contents. `make run` serves it; `streamlit run app.py` works as well."""

import streamlit as st

from attention_ui.contents import HOME, tab_title
from attention_ui.frame import layout
from attention_ui.frame.menu import menu
from attention_ui.link.choice import page_in_link

page = st.navigation(menu(), position="top")
name = page.url_path or HOME.name
st.set_page_config(page_title=tab_title(name), page_icon="🔦", layout="wide")
layout.apply(name)
with page_in_link():
    page.run()
    layout.close_page(name)
layout.offer_undo()
