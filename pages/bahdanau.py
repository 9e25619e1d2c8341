"""A decoder learns where to look while it writes."""

from attention_ui.layout import open_page

open_page("Learn where to look while writing", "A decoder learns where to look while it writes.")
