"""The desk of the first chapter: its choices, its picture, and what stands below it."""

from attention_ui.chapters.cues.choices import Cues, blend_slider, goal_choice, reset_button, saliency_sliders
from attention_ui.chapters.cues.desk import show

__all__ = ["Cues", "blend_slider", "goal_choice", "reset_button", "saliency_sliders", "show"]
