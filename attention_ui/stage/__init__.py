"""The stage: a curve and a heatmap that move together, at display rate, without a trip to the server."""

from attention_ui.stage.scene import Axis, Line, Player, Scene
from attention_ui.stage.stage import Cue, show

__all__ = ["Axis", "Cue", "Line", "Player", "Scene", "show"]
