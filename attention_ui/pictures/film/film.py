"""What a film shows, and how it travels: a header in JSON, then the numbers as they lie in memory."""

import zlib
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attention_ui.pictures.stage.graph import Graph
from attention_ui.pictures.stage.packing import framed
from attention_ui.pictures.stage.scene import Player, Readout

MOST_BYTES = 1_500_000  # of float32 cells; a longer film carries each cell in two bytes
LEVELS = 65_535  # steps of such a cell from low to high: four decimals of a weight stay right


class Panel(NamedTuple):
    """A heatmap; one without a frame axis stays still while the others move."""

    title: str
    frames: Tensor  # (F, Q, K) or (Q, K)
    rows: tuple[str, ...]  # (Q,) labels: characters or words
    columns: tuple[str, ...]  # (K,)
    hatched: Tensor | None = None  # bool, (F, Q, K) or (Q, K): cells that do not count, masked ones or others
    notes: tuple[str, ...] = ()  # (F,) or (1,): a line below it, with its numbers

    def cells(self) -> Tensor:
        """With a frame axis in any case, (F or 1, Q, K)."""
        return self.frames if self.frames.ndim == 3 else self.frames[None]

    def masks(self) -> Tensor | None:
        """The masked cells, (F or 1, Q, K)."""
        if self.hatched is None:
            return None
        return self.hatched if self.hatched.ndim == 3 else self.hatched[None]

    def header(self) -> dict[str, Any]:
        """What JSON can carry."""
        masks = self.masks()
        return {
            "title": self.title,
            "rows": self.rows,
            "columns": self.columns,
            "notes": self.notes,
            "kept": len(self.cells()),
            "masks": 0 if masks is None else len(masks),
        }


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

    def header(self) -> dict[str, Any]:
        """What JSON can carry, and how far the plane reaches from 0."""
        farthest = max(points.places.abs().max().item() for points in self.groups)
        groups = [{"name": p.name, "role": p.role, "labels": p.labels, "kept": len(p.places)} for p in self.groups]
        return {"title": self.title, "groups": groups, "reach": 1.12 * max(1.0, farthest)}


class Names(NamedTuple):
    """What a row, a column and a cell are called, what rows and columns are together, and what a hatched cell is."""

    row: str = "query"
    column: str = "key"
    cell: str = "weight"
    rows: str = "queries"
    columns: str = "keys"
    hatched: str = "masked"


QUERIES_AND_KEYS = Names()


@dataclass(frozen=True)
class Film:
    """Everything that does not change while the slider is dragged or the frames are played."""

    panels: tuple[Panel, ...]
    captions: tuple[str, ...] = ("",)  # one per frame: how its value reads
    readouts: tuple[Readout, ...] = ()
    plane: Plane | None = None
    graphs: tuple[Graph, ...] = ()
    slider: str | None = None  # the key of the native slider whose position is the frame
    player: Player | None = None
    low: float | None = None  # of the one colour scale; by default what the panels hold, 0 included
    high: float | None = None
    names: Names = QUERIES_AND_KEYS
    across: int | None = None  # panels in a row on a wide screen; by default as fits best
    height: int = 420  # pixels that the panels may take on a wide screen

    def __post_init__(self) -> None:
        for panel in self.panels:
            _check(panel, len(self.captions))

    def range(self) -> tuple[float, float]:
        """The ends of the colour scale that all panels share."""
        cells = torch.cat([panel.cells().flatten() for panel in self.panels]).nan_to_num(0.0, 0.0, 0.0)
        low = min(0.0, cells.min().item()) if self.low is None else self.low
        high = max(0.0, cells.max().item()) if self.high is None else self.high
        return low, high if high > low else low + 1.0


def pack(film: Film) -> bytes:
    """The film as bytes: header, places of points, cells as float32 or, when these are many, uint16, and masks."""
    low, high = film.range()
    cells = [panel.cells().float() for panel in film.panels]  # (F or 1, Q, K) each
    many = 4 * sum(part.numel() for part in cells) >= MOST_BYTES
    groups = film.plane.groups if film.plane else ()
    header = {
        "frames": len(film.captions),
        "captions": film.captions,
        "readouts": [readout._asdict() for readout in film.readouts],
        "panels": [panel.header() for panel in film.panels],
        "plane": film.plane and film.plane.header(),
        "graphs": [graph.header() for graph in film.graphs],
        "slider": film.slider,
        "player": film.player and film.player._asdict(),
        "low": low,
        "high": high,
        "levels": LEVELS if many else 0,
        "names": film.names._asdict(),
        "across": film.across,
        "height": film.height,
    }
    masks = [panel.masks() for panel in film.panels]
    parts = [
        *(points.places.float() for points in groups),
        *(_levels(part, low, high) if many else part for part in cells),
        *(mask.to(torch.uint8) for mask in masks if mask is not None),
    ]
    # A theme or a resize calls the script again with the same film: its name tells it from a new one.
    return framed({**header, "name": zlib.crc32(framed(header, *parts))}, *parts)


def _levels(cells: Tensor, low: float, high: float) -> Tensor:
    """Cells as whole steps from low to high."""
    share = (cells.double().nan_to_num(low) - low) / (high - low)
    return (share.clamp(0, 1) * LEVELS).round().int().to(torch.uint16)


def _check(panel: Panel, frames: int) -> None:
    """A panel's tensors and labels fit together, and the film."""
    kept, *sides = panel.cells().shape
    if kept not in (1, frames) or sides != [len(panel.rows), len(panel.columns)]:
        raise ValueError(
            f"{panel.title!r} has shape {tuple(panel.frames.shape)} for {frames} frames, "
            f"{len(panel.rows)} row labels and {len(panel.columns)} column labels."
        )
    masks = panel.masks()
    if masks is not None and (len(masks) not in (1, frames) or list(masks.shape[1:]) != sides):
        raise ValueError(f"{panel.title!r} has cells of shape {(kept, *sides)} but masks of {tuple(masks.shape)}.")
    if len(panel.notes) not in (0, 1, frames):
        raise ValueError(f"{panel.title!r} has {len(panel.notes)} notes for {frames} frames.")
