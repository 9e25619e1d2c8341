"""What is seen while something takes long: how far it has come, and in the place of a picture the points at once."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import streamlit as st
import torch

from attention_core.progress import is_watched, part, watched
from attention_core.regression.frames import MOST_COLUMNS
from attention_ui.controls.dataset import Dataset
from attention_ui.gate import turn
from attention_ui.helpers import FEW
from attention_ui.pictures import cache
from attention_ui.pictures.picture import pack, show_frames
from attention_ui.pictures.regression import fine_grid, one_frame, queries_for
from attention_ui.seams import Container
from attention_ui.shared import shared

MANY = FEW  # points: with fewer a picture is there before anybody could read why it is not


@contextmanager
def waiting(key: str, dataset: Dataset, words: str, points: bool = False, many: int = MANY) -> Iterator[None]:
    """What works on more than so many points inside takes its turn at the gate, and shows how far it has come.

    Pictures of what was before are hidden meanwhile (frame.css); with `points`, the points stand in their place. The
    bar is there from the start for other data than last time, and for the same only where it takes a while. The work
    ends between two pieces when the visitor leaves or asks for something else: then the bar raises.
    """
    if len(dataset.samples().x) <= many or is_watched():
        yield
        return
    place, bar = st.empty(), cast("list[Container]", [])

    def show(share: float) -> None:
        if not bar:
            with place.container(key=f"waiting_{key}"):
                bar.append(st.progress(0.0, words))
                if points:
                    show_points(key, dataset)
        bar[0].progress(share, words)

    waited = f"{key}_waited"
    if st.session_state.get(waited) != dataset:
        show(0.0)
    with watched(show), turn():
        yield
    st.session_state[waited] = dataset
    place.empty()


def show_points(key: str, dataset: Dataset) -> None:
    """Show the points in the place of a picture."""
    show_frames(f"{key}_waiting_stage", points_alone(dataset))


@contextmanager
def waiting_for_widths(
    page: str, dataset: Dataset, kernel: str, linear: bool, widths: tuple[float, ...]
) -> Iterator[None]:
    """Compute what a picture of many points needs; what is drawn inside takes the place of the points.

    That of a few is computed at once, when it is asked for.
    """
    around = st.container()
    place = around.container()  # st.empty would take the picture away at the begin of every run
    with around, waiting(page, dataset, f"{len(dataset.samples().x):,} points at {len(widths)} widths", points=True):
        if len(dataset.samples().x) > MANY:
            with part(0.0, 0.3):
                cache.widths_picture(dataset, kernel, linear, widths)
            with part(0.3, 1.0):
                cache.swept(dataset, kernel, linear, widths)
        with place:
            yield


@shared
def points_alone(dataset: Dataset) -> bytes:
    """A picture of the points and what they are compared with, before there is a prediction."""
    none, n = torch.full_like(fine_grid(dataset), math.nan), len(dataset.samples().x)
    columns = math.ceil(n / math.ceil(n / MOST_COLUMNS))
    return pack(one_frame(dataset, none, torch.zeros(len(queries_for(dataset)), columns, dtype=torch.float64)))
