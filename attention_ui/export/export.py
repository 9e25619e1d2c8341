"""What a page gives away."""

from dataclasses import dataclass, field

import pandas as pd
import plotly.graph_objects as go
from torch import Tensor

from attention_ui.export.ran import Ran, Script


@dataclass(frozen=True)
class Export:
    """What is on the screen right now, and what makes it again."""

    name: str  # of the files: small letters and hyphens
    title: str
    figure: go.Figure
    tables: dict[str, pd.DataFrame]  # by what they hold: data, weights
    # Instead of `ran`, until every chapter has it:
    script: str = ""  # uses attention_core
    plain: str = ""  # uses torch alone
    results: dict[str, Tensor] = field(default_factory=dict)  # by the variable that holds them in both scripts
    ran: Ran | None = None

    def with_core(self) -> Script:
        """A script that makes the numbers and the picture again, with attention_core."""
        return self.ran.script(self.name, self.title) if self.ran else Script(self.script, {})

    def alone(self) -> Script:
        """The same with torch alone."""
        return self.ran.plain(self.name, self.title) if self.ran else Script(self.plain, {})
