"""The views of the chapter by their ids: words that attend to each other, positions, what a longer text costs."""

from collections.abc import Callable

from attention_ui.chapters.self_attention import cost, positions, tokens
from attention_ui.export.view import View

VIEWS: dict[str, Callable[[str], View]] = {"tokens": tokens.show, "positions": positions.show, "cost": cost.show}
TABS = {"tokens": "Tokens", "positions": "Positions", "cost": "Cost"}
