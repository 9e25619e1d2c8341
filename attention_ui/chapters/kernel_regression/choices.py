"""What is chosen in the lab, as its views get it; the controls are those of attention_ui/controls."""

from dataclasses import dataclass

import streamlit as st
from torch import Tensor

from attention_core.regression.estimator import Estimator
from attention_ui.controls.dataset import Dataset

MOST_POINTS = 100_000  # on the slider
NUMBERS, ONE_QUERY, TIME = "numbers", "one_query", "time"
TABS = {
    NUMBERS: "Numbers",
    ONE_QUERY: "One query",
    "which_width": "Which width?",
    "bias_variance": "Bias and variance",
    "more_data": "More data",
    TIME: "How the time grows",
    "code": "The code",
}


@dataclass(frozen=True)
class Asked:
    """What the view of a tab gets: it holds every width, and the page's slider chooses one."""

    page: str  # the prefix of its keys
    dataset: Dataset
    kernel: str
    linear: bool
    widths: tuple[float, ...]
    query: float  # the pinned one, else the middle one

    @property
    def estimator(self) -> Estimator:
        """The estimator with the width of the slider."""
        return Estimator(st.session_state[f"{self.page}_width"], self.kernel, self.linear)

    @property
    def model(self) -> tuple[Dataset, str, bool, tuple[float, ...], str]:
        """The data, the kernel and the widths, on which every picture depends."""
        return self.dataset, self.kernel, self.linear, self.widths, self.page


def looked_at(pinned: int | None, queries: Tensor) -> int:
    """The row of the query that is taken apart: the pinned one, else the middle one."""
    return len(queries) // 2 if pinned is None else pinned
