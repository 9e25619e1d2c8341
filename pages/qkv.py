"""One query, six key-value pairs: drag the query, the keys and the values, and see the output follow."""

from attention_ui.chapters.qkv.choices import controls
from attention_ui.chapters.qkv.views import show
from attention_ui.export.dialog import close
from attention_ui.export.view import View
from attention_ui.frame.layout import open_page
from attention_ui.link.choice import fragment

tools = open_page(
    "A query meets keys, and gets their values",
    "Drag the query **q**, a key or a value. The closer a key, the more its value counts: the output is a "
    "**weighted average**.",
)


@fragment  # a new question touches nothing outside, so only this much runs again
def ask() -> View:
    """The question, and what the query gets."""
    return show(*controls())


close(tools, ask())
