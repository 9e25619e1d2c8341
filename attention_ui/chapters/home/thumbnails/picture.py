"""A small drawing on a page: st.html strips SVG, so a component shows it."""

from pathlib import Path

import streamlit as st

from attention_ui.chapters.home.thumbnails.drawing import Drawing
from attention_ui.pictures.stage.script import script

HERE = Path(__file__).parent

PICTURE = st.components.v2.component(
    "attention_lab_picture",
    html='<div class="picture"></div>',
    css=(HERE / "picture.css").read_text("utf-8"),
    js=script("place", "picture", folder=HERE / "js"),
)


def picture(key: str, drawn: Drawing) -> None:
    """Show a drawing in the current container, in the colours of the theme."""
    PICTURE(key=key, data={"svg": drawn.svg})
