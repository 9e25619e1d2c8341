"""What moves: a picture made of panels (curve, heatmap, plane, table) and graphs, moved without the server."""

from attention_ui.pictures.curve import Curve, Line, curve_and_weights
from attention_ui.pictures.graph import Axis, Graph, Mark, Trace
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture, Player, Readout, Update, pack, send_update, show_frames, show_picture
from attention_ui.pictures.plane import Plane, Points
from attention_ui.pictures.table import Table

__all__ = [
    "Axis",
    "Curve",
    "Graph",
    "Heatmap",
    "Line",
    "Mark",
    "Names",
    "Picture",
    "Plane",
    "Player",
    "Points",
    "Readout",
    "Table",
    "Trace",
    "Update",
    "curve_and_weights",
    "pack",
    "send_update",
    "show_frames",
    "show_picture",
]
