"""What the stage plays, and how it travels: a header in JSON, then the numbers as they lie in memory."""

import zlib
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import Samples
from attention_core.regression.frames import Frames
from attention_ui.pictures.stage.graph import Axis, Graph
from attention_ui.pictures.stage.packing import framed, rounded

MOST_POINTS = 500  # circles drawn; more would be a grey smear and slow to size by weight
LEVELS = 255  # shades of a weight in flight; the exact weights follow with the cue


class Line(NamedTuple):
    """A curve that stays while the prediction moves, in one of the roles of the palette."""

    name: str
    role: str  # truth, average or reference
    values: Tensor  # (C,), over the fine grid


class Readout(NamedTuple):
    """A number that moves with the frame, worked out by torch for every one of them."""

    name: str
    texts: tuple[str, ...]  # (F,)


class Player(NamedTuple):
    """The stage's own play bar, for an axis that has no slider on the page."""

    frames_per_second: float = 12.0
    unit: str = "frame"  # what one step is called
    label: str = "Play"  # what the button that starts it says
    autoplay: bool = False  # whether a new scene starts to play by itself


@dataclass(frozen=True)
class Scene:
    """Everything that does not change while the slider is dragged or the frames are played."""

    samples: Samples
    frames: Frames
    queries: tuple[Tensor, Tensor]  # fine (C,) for the curve, coarse (Q,) for the heatmap's rows
    captions: tuple[str, ...]  # one per frame: how its value reads
    x: Axis
    y: Axis
    lines: tuple[Line, ...] = ()
    slider: str | None = None  # the key of the native slider whose position is the frame
    player: Player | None = None
    readouts: tuple[Readout, ...] = ()
    graphs: tuple[Graph, ...] = ()
    offers: tuple[str, ...] = ()  # what else may be done: "add" samples by clicks, "reset" them
    small: bool = False  # lower pictures, where something else must fit the first screen too


def pack(scene: Scene) -> bytes:
    """The scene as bytes: length of the header, header, curves as float32, weights as one byte each."""
    curves, weights, groups = scene.frames
    low, high = weights.amin((1, 2)).clamp(max=0), weights.amax((1, 2))  # (F,)
    shades = ((weights - low[:, None, None]) / (high - low).clamp(min=1e-30)[:, None, None] * LEVELS).round()
    fine, coarse = scene.queries
    header = {
        "shape": [len(curves), len(fine), len(coarse), weights.shape[-1]],
        "captions": scene.captions,
        "x": scene.x._asdict(),
        "y": scene.y._asdict(),
        "fine": [float(fine[0]), float(fine[-1])],
        "queries": rounded(coarse),
        "columns": rounded(_column_centres(scene.samples.x, groups)),
        "keys": len(groups),
        "points": _points(scene.samples, groups),
        "lines": [{"name": line.name, "role": line.role, "values": rounded(line.values)} for line in scene.lines],
        "low": low.tolist(),
        "high": high.tolist(),
        "slider": scene.slider,
        "player": scene.player and scene.player._asdict(),
        "readouts": [readout._asdict() for readout in scene.readouts],
        "graphs": [graph.header() for graph in scene.graphs],
        "offers": scene.offers,
        "small": scene.small,
    }
    body = framed(header, curves.float(), shades.to(torch.uint8))
    # A theme or a resize calls the script again with the same scene: its name tells it from a new one.
    return framed({**header, "name": zlib.crc32(body)}, curves.float(), shades.to(torch.uint8))


def _points(samples: Samples, groups: Tensor) -> list[list[float]]:
    """Up to 500 of the samples as [x, y, column], evenly chosen."""
    every = torch.linspace(0, len(groups) - 1, min(len(groups), MOST_POINTS)).round().long()
    table = torch.stack([samples.x[every], samples.y[every], groups[every].double()], 1)
    return [[float(f"{number:.7g}") for number in row] for row in table.tolist()]


def _column_centres(keys: Tensor, groups: Tensor) -> Tensor:
    return torch.zeros(int(groups[-1]) + 1, dtype=keys.dtype).index_add_(0, groups, keys) / groups.bincount()
