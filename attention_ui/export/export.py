"""What a page gives away."""

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go
from torch import Tensor


@dataclass(frozen=True)
class Export:
    """What is on the screen right now, and two scripts that make it again."""

    name: str  # of the files: small letters and hyphens
    title: str
    figure: go.Figure
    tables: dict[str, pd.DataFrame]  # by what they hold: data, weights
    script: str  # uses attention_core
    plain: str  # uses torch alone
    results: dict[str, Tensor]  # the numbers on the screen, by the variable that holds them in both scripts
