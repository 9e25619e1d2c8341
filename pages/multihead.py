"""Several heads: several kernels at once, and what their mixture can do that one cannot."""

from attention_ui.chapters.multihead.views import TABS, VIEWS
from attention_ui.controls.tabs import open_tab
from attention_ui.export.dialog import close
from attention_ui.frame.layout import open_page

tools = open_page(
    "Several heads attend at once",
    "Each head attends in its own way, and $W_o$ mixes what they find into **one output**.",
)
close(tools, VIEWS[open_tab("multihead", TABS)]("multihead"))
