"""The stage on a page: one component for the frames, which travel once, and a small one for what changes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from torch import Tensor

from attention_ui.pictures.stage.packing import framed
from attention_ui.pictures.stage.script import script

Callback = Callable[[], None]
HERE = Path(__file__).parent

PARTS = (
    *("format", "bytes", "place", "axes", "tooltip", "scene"),
    *("readouts", "curve", "heatmap", "graph", "probe", "player", "slider", "stage"),
)

STAGE = st.components.v2.component(
    "attention_lab_stage",
    html='<div class="stage"></div>',
    css=(HERE / "stage.css").read_text("utf-8"),
    js=script(*PARTS),
)
CUE = st.components.v2.component("attention_lab_cue", js=script("bytes", "cue"))


def _nothing() -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class Cue:
    """What changes with a click: a kilobyte or ten, sent without the frames."""

    frame: int  # the committed one
    outputs: Tensor  # (Q,), exact at that frame
    weights: Tensor  # (Q, G), exact at that frame
    pinned: int | None = None  # the row of the pinned query
    curve_text: str = ""  # the text alternatives, with their numbers
    heatmap_text: str = ""


def show(key: str, packed: bytes, cue: Cue, on_query: Callback = _nothing, on_frame: Callback = _nothing) -> None:
    """Show a packed scene at its cue; a pinned query or a frame that was played to arrives in session_state[key]."""
    show_frames(key, packed, on_query, on_frame)
    send_cue(key, cue)


def show_frames(
    key: str,
    packed: bytes,
    on_query: Callback = _nothing,
    on_frame: Callback = _nothing,
    on_point: Callback = _nothing,
    on_reset: Callback = _nothing,
) -> None:
    """Show the frames alone; a page whose reruns must be cheap sends the cue from inside a fragment."""
    STAGE(
        key=key,
        data=packed,
        on_query_change=on_query,
        on_frame_change=on_frame,
        on_point_change=on_point,
        on_reset_change=on_reset,
    )


def send_cue(key: str, cue: Cue) -> None:
    """Tell the stage of this key where it stands."""
    header = {
        "stage": key,
        "frame": cue.frame,
        "pinned": cue.pinned,
        "curveText": cue.curve_text,
        "heatmapText": cue.heatmap_text,
        "rows": list(cue.weights.shape),
    }
    CUE(key=f"cue_{key}", data=framed(header, cue.outputs.float(), cue.weights.float()))
