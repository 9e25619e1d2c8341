"""What the lab gives away."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from attention_ui.chapters.kernel_regression.choices import Asked
from attention_ui.export.lab import exported
from attention_ui.export.view import Export


def taken_home(asked: Asked) -> Export:
    """What is on the stage when Download is pressed, with the times that were measured."""
    made = exported(asked.dataset, asked.estimator)
    _, times = st.session_state.get(f"{asked.page}_time_ran", (None, []))
    return replace(made, tables=made.tables | {"times": pd.DataFrame(times)}) if times else made
