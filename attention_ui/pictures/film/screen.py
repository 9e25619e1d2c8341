"""A film on a page: one component for the frames, which travel once, and a small cue for where it stands."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st
import torch

from attention_ui.pictures.stage.packing import framed
from attention_ui.pictures.stage.script import script
from attention_ui.pictures.stage.stage import CUE
from attention_ui.pictures.stage.stage import HERE as STAGE

HERE = Path(__file__).parent
PARTS = (
    *("format", "bytes", "place", "axes", "tooltip", "scene", "readouts", "curve", "heatmap", "graph"),
    *("player", "slider", "reel", "fitting", "cells", "plane", "pointing", "film"),
)
NOTHING = torch.empty(0)

FILM = st.components.v2.component(
    "attention_lab_film",
    html='<div class="film"></div>',
    css="\n".join(path.read_text("utf-8") for path in (STAGE / "stage.css", HERE / "film.css")),
    js=script(*PARTS, folder=HERE / "js"),
)


def _nothing() -> None:
    """Nobody wants to know."""


def show(key: str, packed: bytes, frame: int = 0, on_frame: Callable[[], None] = _nothing) -> None:
    """Show a packed film; where it was played to arrives in session_state[key]["frame"].

    A slider says by itself where the film stands; `frame` is for films that have a player or neither.
    """
    FILM(key=key, data=packed, on_frame_change=on_frame)
    CUE(key=f"cue_{key}", data=framed({"stage": key, "frame": frame, "rows": [0, 0]}, NOTHING))
