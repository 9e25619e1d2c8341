"""Several heads look for several things at once."""

from attention_ui.layout import open_page

open_page("Several heads look at once", "Several heads look for several things at once.")
