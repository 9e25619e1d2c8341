"""Self-attention: every token attends to all tokens, and without positions their order makes no difference."""

from attention_ui.chapters.self_attention.views import TABS, VIEWS
from attention_ui.controls.tabs import open_tab
from attention_ui.export.dialog import offer
from attention_ui.export.view import View
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment

tools = open_page(
    "Every token attends to all tokens",
    "Queries, keys and values all come from the same words. **Without positions, and without a causal mask, attention "
    "does not notice the order of the words.**",
)


@fragment  # a choice in a view touches nothing outside, so only this much runs again
def show() -> View:
    """The open view alone: its picture, a question to try, and its code."""
    return VIEWS[open_tab("sa", TABS)]("sa")


view = show()
offer(tools, view.export)
view.afterwards()
