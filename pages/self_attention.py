"""Self-attention: every token asks all the others, and would not know their order without positions."""

from attention_ui.chapters.self_attention.views import TABS, VIEWS
from attention_ui.controls.tabs import open_tab
from attention_ui.export.dialog import offer
from attention_ui.export.view import View
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment

tools = open_page(
    "Every token asks all the others",
    "Queries, keys and values all come from the same words. **Their order means nothing, until positions are added.**",
)


@fragment  # a choice in a view touches nothing outside, so only this much runs again
def show() -> View:
    """The open view alone: its picture, a question to try, and its code."""
    return VIEWS[open_tab("sa", TABS)]("sa")


view = show()
offer(tools, view.export)
view.afterwards()
