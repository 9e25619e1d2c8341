"""Every block of it is attention and a little more."""

from attention_ui.layout import open_page

open_page("Blocks of attention, opened one by one", "Every block of it is attention and a little more.")
