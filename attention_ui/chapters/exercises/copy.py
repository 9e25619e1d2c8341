"""A button that copies a text to the clipboard."""

from pathlib import Path

import streamlit as st

from attention_ui.pictures.stage.script import script

HERE = Path(__file__).parent

COPY = st.components.v2.component(
    "attention_lab_copy_results",
    html='<button type="button" aria-live="polite"></button>',
    css=(HERE / "copy.css").read_text("utf-8"),
    js=script("copy", folder=HERE / "js"),
)


def copy_button(key: str, label: str, text: str) -> None:
    """Draw it into the current container."""
    words = {"done": "Copied", "failed": "Select the text below instead"}
    COPY(key=key, data={"label": label, "text": text, **words})
