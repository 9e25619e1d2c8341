"""What the visitor chooses on the desk: how much each object stands out, what they want, and the blend of the two."""

from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor

from attention_core.demos.cues import DESK, STRENGTH
from attention_ui.component import told
from attention_ui.controls.widgets import segmented, slider

GOALS = {"drink": "Drink", "read": "Read", "write": "Write", "nothing": "Nothing in particular"}
GOAL, BLEND, WANTED = "read", 0, 100  # the page begins at a blend of 0; a click on a goal sets it to 100
FRAMES = 101  # one for every step of the blend, so that none is interpolated
SALIENCY_KEYS = {thing.name: f"cues_{thing.name.split()[-1]}" for thing in DESK}
SLIDERS = tuple(key.removeprefix("cues_") for key in SALIENCY_KEYS.values())  # as a link names them
SALIENT, PLAIN = 5.0, 1.0  # what a click makes of an object: as red as the cup is, and as plain as a sheet of paper
DESK_KEY, GOAL_KEY, BLEND_KEY = "cues_desk", "cues_goal", "cues_blend"
LAST_GOAL, CLICKED = "cues_last_goal", "cues_clicked"  # kept for the next run


@dataclass(frozen=True)
class Cues:
    """Both cues, and how they are blended."""

    saliency: tuple[float, ...] = tuple(thing.saliency for thing in DESK)
    goal: str | None = GOAL
    percent: int = BLEND  # of the volitional cue

    def outstanding(self) -> Tensor:
        """The saliency as a tensor, (K,)."""
        return torch.tensor(self.saliency, dtype=torch.float64)


def saliency_sliders() -> tuple[float, ...]:
    """Draw one slider per object, and return what they are set to."""
    return tuple(
        slider(
            thing.name.capitalize(),
            0.0,
            STRENGTH,
            thing.saliency,
            0.5,
            format="%.1f",
            key=SALIENCY_KEYS[thing.name],
        )
        for thing in DESK
    )


def controls() -> tuple[str | None, int]:
    """Draw the goal beside the blend; return the goal, None for nothing in particular, and the per cent of will."""
    wish, blend = st.columns([4, 5], gap="medium")
    with wish:
        goal = segmented(
            "What do you want? This is the volitional cue.", GOALS, GOAL, key=GOAL_KEY, required=False,
            on_change=_want,
        )  # fmt: skip
    st.session_state[LAST_GOAL] = goal
    with blend:
        percent = slider(
            "Drag from what stands out to what you want",
            0,
            100,
            BLEND,
            format="%d %%",
            key=BLEND_KEY,
            disabled=goal == "nothing",
        )
    return None if goal == "nothing" else goal, percent


def _want() -> None:
    """Move attention all the way to the goal that was clicked; a click on the goal that stands is one too."""
    goal = st.session_state[GOAL_KEY] = st.session_state[GOAL_KEY] or st.session_state[LAST_GOAL]
    if goal != "nothing":
        st.session_state[BLEND_KEY] = WANTED


def take_click() -> None:
    """Make the object that was clicked stand out; make it plain where it does already."""
    name = told(DESK_KEY, "object")
    for thing in DESK:
        if thing.name == name:
            key, usual = SALIENCY_KEYS[name], thing.saliency
            plain = usual if usual < SALIENT else PLAIN
            st.session_state[key] = plain if stands_out(st.session_state[key]) else SALIENT
            st.session_state[CLICKED] = True


def was_clicked() -> bool:
    """Whether an object was clicked since the last run; only once."""
    return bool(st.session_state.pop(CLICKED, False))


def stands_out(saliency: float) -> bool:
    """Whether an object is drawn in red."""
    return saliency > (SALIENT + PLAIN) / 2


def reset_button() -> None:
    """Draw the button that sets all choices back to where the page began."""
    st.button("Reset", key="cues_reset", on_click=_reset, width="stretch")


def _reset() -> None:
    began = {SALIENCY_KEYS[thing.name]: thing.saliency for thing in DESK}
    st.session_state.update(began | {GOAL_KEY: GOAL, BLEND_KEY: BLEND})
