"""What is seen while something takes long: how far it has come, and in the place of a picture the points at once."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
import torch

from attention_core.progress import part, watched
from attention_core.regression.frames import MOST_COLUMNS
from attention_ui.controls.dataset import Dataset
from attention_ui.gate import turn
from attention_ui.pictures import cache
from attention_ui.pictures.picture import pack, show_frames
from attention_ui.pictures.regression import fine_grid, one_frame, queries_for
from attention_ui.seams import Container
from attention_ui.shared import shared

MANY = 1_000  # points: with fewer a picture is there before anybody could read why it is not


@contextmanager
def waiting(words: str, points: int, many: int = MANY) -> Iterator[None]:
    """What works on many points inside takes its turn at the gate, and shows how far it has come.

    It ends between two pieces when the visitor leaves or asks for something else: then the bar raises.
    """
    if points <= many:
        yield
        return
    place = st.empty()
    place.progress(0.0, words)
    with watched(lambda share: place.progress(share, words)), turn():
        yield
    place.empty()


def wait_for_widths(page: str, dataset: Dataset, kernel: str, linear: bool, widths: tuple[float, ...]) -> Container:
    """Compute what a picture of many points needs, and return its place.

    Meanwhile the points stand there, under a bar that says what is done.
    """
    around = st.container()
    place = around.container()  # st.empty would take the picture away at the begin of every run
    asked, drawn = (dataset, kernel, linear), st.session_state.get(f"{page}_drawn")
    if dataset.n > MANY and asked != drawn:
        words, slot = f"{dataset.n:,} points at {len(widths)} widths", around.empty()
        with slot.container():
            bar = st.progress(0.0, words)
            show_frames(f"{page}_waiting_stage", points_alone(dataset))
        with watched(lambda share: bar.progress(share, words)):
            with part(0.0, 0.3):
                cache.widths_picture(*asked, widths)
            with part(0.3, 1.0):
                cache.swept(*asked, widths)
        slot.empty()
    st.session_state[f"{page}_drawn"] = asked
    return place


@shared
def points_alone(dataset: Dataset) -> bytes:
    """A picture of the points and what they are compared with, before there is a prediction."""
    none, n = torch.full_like(fine_grid(dataset), math.nan), len(dataset.samples().x)
    columns = math.ceil(n / math.ceil(n / MOST_COLUMNS))
    return pack(one_frame(dataset, none, torch.zeros(len(queries_for(dataset)), columns, dtype=torch.float64)))
