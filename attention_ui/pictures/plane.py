"""Labelled points that move in a plane, as a panel of a picture."""

from typing import NamedTuple

from torch import Tensor

from attention_ui.pictures.packing import Packed


class Points(NamedTuple):
    """Labelled points that move in a plane."""

    name: str
    role: str  # of the palette
    places: Tensor  # (F, P, 2)
    labels: tuple[str, ...]  # (P,)


class Plane(NamedTuple):
    """A square picture of the plane with the unit circle: the points of the heatmaps' rows, then of their columns."""

    title: str
    groups: tuple[Points, ...]
    axes: tuple[str, str] = ("cosine", "sine")  # what is measured across and up

    @property
    def reach(self) -> float:
        """How far the plane is shown from 0."""
        return 1.12 * max(1.0, *(points.places.abs().max().item() for points in self.groups))

    def packed(self) -> Packed:
        """For the browser: js/plane.js shows it."""
        groups = [{"name": points.name, "role": points.role, "labels": points.labels} for points in self.groups]
        header = {"kind": "plane", "title": self.title, "groups": groups, "reach": self.reach}
        return Packed(header, tuple(points.places.float() for points in self.groups))
