"""The one contract of a view: what it leaves to its page."""

from collections.abc import Callable
from dataclasses import dataclass

from attention_ui.export.export import Export


def nothing() -> None:
    """Does nothing."""


@dataclass(frozen=True)
class View:
    """What a view leaves to its page: what can be taken home, and what to do once all else is drawn."""

    export: Callable[[], Export]
    afterwards: Callable[[], None] = nothing
