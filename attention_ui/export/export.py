"""What a page gives away."""

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from attention_ui.export.ran import Ran, Script


@dataclass(frozen=True)
class Export:
    """What is on the screen right now, and the call that made it."""

    name: str  # of the files: small letters and hyphens
    title: str
    figure: go.Figure
    tables: dict[str, pd.DataFrame]  # by what they hold: data, weights
    ran: Ran

    def with_core(self) -> Script:
        """A script that makes the numbers and the picture again, with attention_core."""
        return self.ran.script(self.name, self.title)

    def alone(self) -> Script:
        """The same with torch alone."""
        return self.ran.plain(self.name, self.title)
