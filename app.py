"""Attention Lab: the table of contents. `make run` serves it; `streamlit run app.py` works as well."""

from itertools import groupby

import streamlit as st

from attention_ui.contents import CHAPTERS, HOME, tab_title
from attention_ui.frame import layout
from attention_ui.link.choice import page_in_link

home = st.Page(HOME.file, title=HOME.title, default=True)
parts = {
    part: [st.Page(chapter.file, title=chapter.title, url_path=chapter.name) for chapter in chapters]
    for part, chapters in groupby(CHAPTERS, lambda chapter: chapter.part)
}
page = st.navigation({"": [home], **parts}, position="top")
name = page.url_path or HOME.name
st.set_page_config(page_title=tab_title(name), page_icon="🔦", layout="wide")
layout.apply(name)
with page_in_link():
    page.run()
    layout.close_page(name)
layout.offer_undo()
