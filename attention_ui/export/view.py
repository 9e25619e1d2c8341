"""The one contract of a view: it gets what was chosen above it, and returns what it leaves to its page."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from attention_ui.export.computation import Computation, Script


@dataclass(frozen=True)
class Export:
    """What can be taken home: what is on the screen right now, and the computation that made it."""

    name: str  # of the files: small letters and hyphens
    title: str
    figure: go.Figure
    tables: dict[str, pd.DataFrame]  # by what they hold: data, weights
    computation: Computation

    def with_core(self) -> Script:
        """A script that makes the numbers and the picture again, with attention_core."""
        return self.computation.script(self.name, self.title)

    def alone(self) -> Script:
        """The same with torch alone."""
        return self.computation.plain(self.name, self.title)


def nothing() -> None:
    """Does nothing."""


@dataclass(frozen=True)
class View:
    """What a view leaves to its page: what can be taken home, and what to do once all else is drawn."""

    export: Callable[[], Export]
    afterwards: Callable[[], None] = nothing
    follow: Callable[[], object] = nothing  # draws what follows the page's slider, each time that one moves
