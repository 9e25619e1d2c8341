"""The stage: a curve and a heatmap that move together, at display rate, without a trip to the server."""

from attention_ui.pictures.stage.graph import Axis, Graph, Mark, Trace
from attention_ui.pictures.stage.scene import Line, Player, Readout, Scene
from attention_ui.pictures.stage.stage import Cue, send_cue, show, show_frames
from attention_ui.pictures.stage.table import Table, show_table

__all__ = [
    "Axis",
    "Cue",
    "Graph",
    "Line",
    "Mark",
    "Player",
    "Readout",
    "Scene",
    "Table",
    "Trace",
    "send_cue",
    "show",
    "show_frames",
    "show_table",
]
