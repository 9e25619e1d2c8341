"""The exponent of the kernel is a score: choose another one and you have another attention."""

from importlib import import_module

from attention_ui.controls.tabs import open_tab
from attention_ui.export.dialog import offer
from attention_ui.export.view import View
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment

VIEWS = {  # the module of each, and its name on the page
    "blocks": "Building blocks",
    "explorer": "Score explorer",
    "scaling": "Why √d?",
    "morph": "The morph",
    "masks": "Masks",
    "analogy": "Where it breaks",
}

tools = open_page(
    "One equation, many scores",
    "The exponent of the kernel of 1964 is a **score**. Choose another one and you have another attention.",
)


@fragment  # a choice in a view touches nothing outside, so only this much runs again
def show() -> View:
    """The open view alone: its picture, a question to try, and its code."""
    view = open_tab("scoring", VIEWS)
    shown: View = import_module(f"attention_ui.chapters.scoring.{view}").show("scoring")
    return shown


view = show()
offer(tools, view.export)
view.afterwards()
