"""Colours that Streamlit chooses by itself and that are too faint to read, in ours: contrast AA in both themes."""

from functools import cache

from attention_ui.palette import theme
from attention_ui.seams import styled

# Slots of chartCategoricalColors (attention_ui/palette.py) for the parts of a line of code.
CODE = {
    ".keyword, .function, .class-name, .decorator, .builtin, .boolean": 1,
    ".string, .char": 2,
    ".number, .constant": 3,
    ".operator, .punctuation, .comment": 4,
}


@cache
def contrast_style() -> str:
    """CSS for words on the theme's main colour and in code; a later Streamlit may need other names."""
    rules = [
        f":root {{ --page-background: {_either('backgroundColor')}; }}",
        f":inner(PrimaryButton), :inner(Tag) {{ color: {_either('backgroundColor')}; }}",
    ]
    for parts, slot in CODE.items():
        names = ", ".join(f":inner(CodeToken){part}" for part in parts.split(", "))
        rules.append(f"{names} {{ color: {_either('chartCategoricalColors', slot)}; }}")
    return styled("\n".join(rules))


def _either(option: str, slot: int | None = None) -> str:
    """An option's colour in the light theme or the dark one, whichever is on."""
    options = [theme(base)[option] for base in ("light", "dark")]
    light, dark = options if slot is None else [colours[slot] for colours in options]
    return f"light-dark({light}, {dark})"
