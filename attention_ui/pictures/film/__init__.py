"""The film: heatmaps side by side that move together with one axis, at display rate, without a trip to the server."""

from attention_ui.pictures.film.film import Film, Names, Panel, Plane, Points, pack
from attention_ui.pictures.film.screen import show

__all__ = ["Film", "Names", "Panel", "Plane", "Points", "pack", "show"]
