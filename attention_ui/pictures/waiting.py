"""What stands in the place of a picture while its frames are computed: the points at once, and how far it has come."""

import math

import streamlit as st
import torch

from attention_ui.controls.dataset import Dataset
from attention_ui.pictures import cache
from attention_ui.pictures.picture import pack, show_frames
from attention_ui.pictures.regression import fine_grid, one_frame, queries_for
from attention_ui.seams import Container
from attention_ui.shared import shared

MANY = 1_000  # points: with fewer a picture is there before anybody could read why it is not


def wait_for_widths(page: str, dataset: Dataset, kernel: str, linear: bool, widths: tuple[float, ...]) -> Container:
    """Compute what a picture of many points needs, and return its place.

    Meanwhile the points stand there, under a bar that says what is done.
    """
    place = st.container()  # st.empty would take the picture away at the begin of every run
    asked, drawn = (dataset, kernel, linear), st.session_state.get(f"{page}_drawn")
    st.session_state[f"{page}_drawn"] = asked
    if dataset.n <= MANY or asked == drawn:
        return place
    many = f"{dataset.n:,} points at {len(widths)} widths"
    slot = place.empty()
    with slot.container():
        bar = st.progress(0.1, f"Step 1 of 2: the prediction for {many}")
        show_frames(f"{page}_waiting_stage", points_alone(dataset))
    cache.widths_picture(*asked, widths)
    bar.progress(0.6, f"Step 2 of 2: the errors for {many}")
    cache.swept(*asked, widths)
    return slot


@shared
def points_alone(dataset: Dataset) -> bytes:
    """A picture of the points and what they are compared with, before there is a prediction."""
    none = torch.full_like(fine_grid(dataset), math.nan)
    weights = torch.zeros(len(queries_for(dataset)), len(dataset.samples().x), dtype=torch.float64)
    return pack(one_frame(dataset, none, weights))
