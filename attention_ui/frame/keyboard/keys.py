"""The keys of the page: one component that hears them all, with a small button that lists them; Back is one, too."""

from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from attention_ui.pictures.stage.script import script

HERE = Path(__file__).parent

KEYS = st.components.v2.component(
    "attention_lab_keys",
    html='<div class="keys"></div>',
    css=(HERE / "keys.css").read_text("utf-8"),
    js=script("format", "back", "finding", "list", "keys", folder=HERE / "js"),
)


def listen(place: DeltaGenerator) -> None:
    """Hear the keys of this page, and put the button that lists them into the place."""
    with place:
        KEYS(key="keys", width="content")
