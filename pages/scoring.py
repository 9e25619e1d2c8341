"""The logarithm of the kernel is a score; a different score gives different weights."""

from attention_ui.chapters.scoring.views import TABS, VIEWS
from attention_ui.controls.tabs import open_tab
from attention_ui.export.dialog import offer
from attention_ui.export.view import View
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment

tools = open_page(
    "One equation, many scores",
    "In Nadaraya-Watson regression (1964) the logarithm of the kernel is the **score**. A different score gives "
    "different weights.",
)


@fragment  # a choice in a view touches nothing outside, so only this much runs again
def show() -> View:
    """The open view alone: its picture, a question to try, and its code."""
    return VIEWS[open_tab("scoring", TABS)]("scoring")


view = show()
offer(tools, view.export)
view.afterwards()
