"""What the visitor chooses on the desk: how much each object stands out, what they want, and the blend of the two."""

from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor

from attention_core.demos.cues import DESK, STRENGTH
from attention_ui.controls.widgets import segmented, slider

GOALS = {"drink": "Drink", "read": "Read", "write": "Write", "nothing": "Nothing in particular"}
GOAL, BLEND = "read", 0  # where the page begins: the will is there, but it does not act yet
SALIENCY_KEYS = {thing.name: f"cues_{thing.name.split()[-1]}" for thing in DESK}


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


def goal_choice() -> str | None:
    """Draw the choice of a goal, and return it; None for nothing in particular."""
    goal = segmented("What do you want to do now? This is the volitional cue.", GOALS, GOAL, key="cues_goal")
    return None if goal == "nothing" else goal


def blend_slider(goal: str | None) -> int:
    """Draw the slider of the blend, and return its per cent of will; without a goal it is off."""
    return slider(
        "Drag from what stands out (0 %) to what you want (100 %)",
        0,
        100,
        BLEND,
        format="%d %%",
        key="cues_blend",
        disabled=goal is None,
    )


def reset_button() -> None:
    """Draw the button that sets all choices back to where the page began."""
    st.button("Reset", key="cues_reset", on_click=_reset, width="stretch")


def _reset() -> None:
    began = {SALIENCY_KEYS[thing.name]: thing.saliency for thing in DESK}
    st.session_state.update(began | {"cues_goal": GOAL, "cues_blend": BLEND})
