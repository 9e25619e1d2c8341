"""A button that copies a text to the clipboard."""

from pathlib import Path

from attention_ui.component import component

HERE = Path(__file__).parent

BUTTON = '<button type="button" aria-live="polite" data-place></button>'
COPY = component("copy_results", HERE / "js" / "copy_button.js", HERE / "copy_button.css", html=BUTTON, tool=True)


def copy_button(key: str, label: str, text: str) -> None:
    """Draw the button into the current container."""
    words = {"done": "Copied", "failed": "Select the text below instead"}
    COPY(key=key, data={"label": label, "text": text, **words})
