"""A page as a link: what travels in it, how it is handed on, and what a teacher hides with it."""
