"""The exponent of the kernel is a score: choose another one and you have another attention."""

from importlib import import_module

from attention_ui.chapters.scoring.export import exported
from attention_ui.controls.tab import open_tab
from attention_ui.export import offer
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
def show() -> str:
    """The open view alone: its picture, a question to try, and its code."""
    view = open_tab("scoring", VIEWS)
    import_module(f"attention_ui.chapters.scoring.{view}").show("scoring")
    return view


view = show()
offer(tools, lambda: exported("scoring", view))
