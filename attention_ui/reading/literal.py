"""Text that is not ours, such as a cell or a file name, inside a sentence that Streamlit reads as Markdown."""

import re

SIGNS = re.compile(r"[\\`*_\[\]<>$~&]")
# Addresses, emoji, icons and arrows are found in the text after backslashes have done their work;
# an invisible joiner between two of their signs keeps them as they were written.
SEAMS = re.compile(r"(?<=[:@])(?=\S)|(?<=[-<>~])(?=[-=>])|(?<=www)(?=\.)", re.IGNORECASE)
JOINER = "\N{WORD JOINER}"


def literal(text: str) -> str:
    """The text as Markdown that shows every sign as it is."""
    return SIGNS.sub(r"\\\g<0>", SEAMS.sub(JOINER, text))
