"""Take a page home: its picture, its numbers, and the code that makes them again."""

from attention_ui.export.dialog import offer
from attention_ui.export.export import Export

__all__ = ["Export", "offer"]
