"""The desk of the first chapter: its choices, its picture, and what stands below it."""

from attention_ui.chapters.cues.desk import show
from attention_ui.chapters.cues.state import Cues, blend_slider, goal_choice, reset_button, saliency_sliders

__all__ = ["Cues", "blend_slider", "goal_choice", "reset_button", "saliency_sliders", "show"]
