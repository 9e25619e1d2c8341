"""Keys that work on every page and the list of them, and colours that everyone can read."""

from attention_ui.frame.keyboard.contrast import contrast_style
from attention_ui.frame.keyboard.keys import listen

__all__ = ["contrast_style", "listen"]
