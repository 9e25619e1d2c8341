"""The process that serves this page, by a name that no other process has."""

import os
import secrets

STARTED = secrets.token_hex(4)  # shared by the processes that are forked from this one


def boot() -> str:
    """A page that meets another name than its own draws itself anew: outliveServer in pictures/js/streamlit.js."""
    return f"{STARTED}-{os.getpid()}"
