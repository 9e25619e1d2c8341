"""The logarithm of the kernel is a score; a different score gives different weights."""

from attention_ui.chapters.scoring.views import TABS, VIEWS
from attention_ui.controls.tabs import open_view
from attention_ui.export.dialog import close
from attention_ui.frame.layout import open_page

tools = open_page(
    "One equation, many scores",
    "In Nadaraya-Watson regression (1964) the logarithm of the kernel is the **score**. A different score gives "
    "different weights.",
)
close(tools, open_view("scoring", TABS, VIEWS))
