"""A Transformer one can open: block by block, head by head, symbol by symbol, and trained before your eyes."""

from attention_ui.chapters.transformer.views import TABS, VIEWS
from attention_ui.controls.tabs import open_tab
from attention_ui.export.dialog import close
from attention_ui.frame.layout import open_page

tools = open_page(
    "Blocks of attention, opened one by one",
    "This Transformer **reverses digits**. It is so small that you can see every number in it.",
)
# Not in a fragment: a Stop inside one would wait until the training is over.
close(tools, VIEWS[open_tab("transformer", TABS)]("transformer"))
