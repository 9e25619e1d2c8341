"""Attention Lab's living pictures in a notebook: `from attention_lab import show, show_regression`."""

from attention_core.checks import InputError
from attention_ui.export.notebook import Living, show, show_regression

__all__ = ["InputError", "Living", "show", "show_regression"]
