"""Every token asks all the others."""

from attention_ui.layout import open_page

open_page("Every token asks all the others", "Every token asks all the others.")
