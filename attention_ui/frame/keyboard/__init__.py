"""Keys that work on every page, and the list of them."""
