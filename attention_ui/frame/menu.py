"""The menu: every page under its part."""

from copy import copy
from functools import cache
from itertools import groupby

import streamlit as st

from attention_ui.contents import CHAPTERS, HOME


def menu() -> dict[str, list[st.Page]]:
    """The pages by their parts; copies, since Streamlit marks the one that is open."""
    return {part: [copy(page) for page in pages] for part, pages in _pages().items()}


@cache
def _pages() -> dict[str, list[st.Page]]:
    """The pages by their parts, made once: to find their files on the disk takes as long as to draw a few controls."""
    parts = groupby(CHAPTERS, lambda chapter: chapter.part)
    made = {
        part: [st.Page(each.file, title=each.title, url_path=each.name) for each in chapters]
        for part, chapters in parts
    }
    return {"": [st.Page(HOME.file, title=HOME.title, default=True)], **made}
