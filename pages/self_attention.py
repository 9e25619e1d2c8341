"""Self-attention: every token attends to all tokens, and without positions their order makes no difference."""

from attention_ui.chapters.self_attention.views import TABS, VIEWS
from attention_ui.controls.tabs import open_view
from attention_ui.export.dialog import close
from attention_ui.frame.layout import open_page

tools = open_page(
    "Every token attends to all tokens",
    "Queries, keys and values all come from the same words. **Without positions, and without a causal mask, attention "
    "does not notice the order of the words.**",
)
close(tools, open_view("sa", TABS, VIEWS))
