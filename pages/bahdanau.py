"""Alignment learned before your eyes: a decoder that attends to what was read, for every symbol it writes."""

from attention_ui.chapters.bahdanau.views import TABS, VIEWS
from attention_ui.controls.tabs import open_tab
from attention_ui.export.dialog import close
from attention_ui.frame.layout import open_page

tools = open_page(
    "Learn where to look while writing",
    "Without attention one vector must hold a whole text. With it the decoder **attends to the symbols** it needs.",
)
view = VIEWS[open_tab("bahdanau", TABS)]("bahdanau")
close(tools, view)  # training takes a while: whatever is clicked meanwhile, or a closed tab, ends it
