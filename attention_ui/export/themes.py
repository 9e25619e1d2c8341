"""The variables of a theme, as the scripts and styles of components ask for them."""

from typing import Literal

from attention_ui.export.living import VARIABLES
from attention_ui.palette import theme

BORDER = {"--st-border-color": "color-mix(in srgb, var(--st-text-color) 22%, transparent)"}


def theme_variables(base: Literal["light", "dark"]) -> dict[str, str]:
    """Every variable with its text."""
    options = theme(base)
    values = {name: options[option] for name, option in VARIABLES.items()}
    return {name: ", ".join(value) if isinstance(value, list) else value for name, value in values.items()} | BORDER
