"""The curve as a panel of a picture: samples, lines that stay and a prediction that moves, beside its weights."""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import Samples
from attention_core.regression.frames import Frames
from attention_ui.pictures.graph import Axis
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.packing import Packed, rounded

MOST_POINTS = 500  # circles drawn; more would be a grey smear and slow to size by weight


class Line(NamedTuple):
    """A curve that stays while the prediction moves, in one of the roles of the palette."""

    name: str
    role: str  # truth, average or reference
    values: Tensor  # (C,), over the fine grid


class Bell(NamedTuple):
    """The kernel around a query: its values K(u), at most 1, and the width in x of every frame."""

    u: Tensor  # (B,)
    values: Tensor  # (B,)
    widths: Tensor  # (F,)

    def header(self) -> dict[str, list[float | None]]:
        """What JSON can carry."""
        return {name: rounded(values) for name, values in self._asdict().items()}


class Curve(NamedTuple):
    """Samples and the prediction of every frame over a fine grid."""

    samples: Samples
    values: Tensor  # (F, C)
    fine: Tensor  # (C,)
    queries: Tensor  # (Q,), of the heatmap's rows
    groups: Tensor  # (K,), the heatmap's column of every sample
    x: Axis
    y: Axis
    lines: tuple[Line, ...] = ()
    bell: Bell | None = None  # drawn around the query that is pointed at

    def packed(self) -> Packed:
        """For the browser: js/curve.js shows it."""
        header = {
            "kind": "curve",
            "x": self.x._asdict(),
            "y": self.y._asdict(),
            "fine": [float(self.fine[0]), float(self.fine[-1])],
            "queries": rounded(self.queries),
            "points": _points(self.samples, self.groups),
            "lines": [{**line._asdict(), "values": rounded(line.values)} for line in self.lines],
            "bell": self.bell and self.bell.header(),
        }
        return Packed(header, (self.values.float(),))


def curve_and_weights(
    samples: Samples,
    frames: Frames,
    queries: tuple[Tensor, Tensor],  # fine (C,) for the curve, coarse (Q,) for the heatmap's rows
    axes: tuple[Axis, Axis],
    lines: tuple[Line, ...] = (),
) -> tuple[Curve, Heatmap]:
    """The two panels of a regression: what is pointed at in one is lit in the other."""
    (curves, weights, groups), (fine, coarse), (x, y) = frames, queries, axes
    centres = torch.zeros(int(groups[-1]) + 1, dtype=samples.x.dtype).index_add_(0, groups, samples.x)
    heatmap = Heatmap(
        "How much each query attends to each key", weights, coarse, centres / groups.bincount(), keys=len(groups)
    )
    return Curve(samples, curves, fine, coarse, groups, x, y, lines), heatmap


def _points(samples: Samples, groups: Tensor) -> list[list[float]]:
    """Up to 500 of the samples as [x, y, column], evenly chosen."""
    every = torch.linspace(0, len(groups) - 1, min(len(groups), MOST_POINTS)).round().long()
    table = torch.stack([samples.x[every], samples.y[every], groups[every].double()], 1)
    return [[float(f"{number:.7g}") for number in row] for row in table.tolist()]
