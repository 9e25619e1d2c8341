"""The curve as a panel of a picture: samples, lines that stay and a prediction that moves, beside its weights."""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import Samples
from attention_core.regression.frames import Frames
from attention_core.regression.selection import evenly
from attention_ui.pictures.graph import Axis
from attention_ui.pictures.heatmap import Heatmap
from attention_ui.pictures.packing import Packed, rounded

MOST_POINTS = 500  # circles drawn; more would be a grey smear and slow to size by weight
BEYOND = 3.0  # heights of the picture above and below it, as far as a curve is told from one that goes on
NONE = 65_535  # stands for no value


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
            "lines": [{"name": line.name, "role": line.role} for line in self.lines],
            "levels": self._ends(),
            "samples": len(self.groups),
        }
        lines = torch.stack([line.values for line in self.lines]) if self.lines else self.values[:0]
        bell = () if self.bell is None else tuple(part.float() for part in self.bell)
        return Packed(header, (self._levels(self.values), self._levels(lines), self._points(), *bell))

    def _ends(self) -> tuple[float, float]:
        """The heights of the first and the last level that a curve travels by."""
        room = BEYOND * (self.y.high - self.y.low)
        return self.y.low - room, self.y.high + room

    def _levels(self, values: Tensor) -> Tensor:
        """Heights in steps of a twentieth of a pixel or so, in two bytes each."""
        low, high = self._ends()
        levels = ((values - low) / (high - low)).clamp(0, 1) * (NONE - 1)
        return levels.nan_to_num(NONE).round().int().to(torch.uint16)

    def _points(self) -> Tensor:
        """Up to 500 of the samples as x, y and column, evenly chosen."""
        some = evenly(len(self.groups), MOST_POINTS)
        return torch.stack([self.samples.x[some], self.samples.y[some], self.groups[some].double()], 1).float()


def curve_and_weights(
    samples: Samples,
    frames: Frames,
    queries: tuple[Tensor, Tensor],  # fine (C,) for the curve, coarse (Q,) for the heatmap's rows
    axes: tuple[Axis, Axis],
    lines: tuple[Line, ...] = (),
) -> tuple[Curve, Heatmap]:
    """The two panels of a regression: what is pointed at in one is lit in the other."""
    (curves, weights, groups), (fine, coarse), (x, y) = frames, queries, axes
    heatmap = weights_heatmap("How much each query attends to each key", weights, coarse, samples.x, groups)
    return Curve(samples, curves, fine, coarse, groups, x, y, lines), heatmap


def weights_heatmap(title: str, weights: Tensor, queries: Tensor, keys: Tensor, groups: Tensor) -> Heatmap:
    """Weights ([F,] Q, G) over keys (K,) of these groups (K,), by what queries and keys are, not by their numbers."""
    centres = torch.zeros(int(groups[-1]) + 1, dtype=keys.dtype).index_add_(0, groups, keys)
    return Heatmap(title, weights, queries, centres / groups.bincount(), keys=len(groups))
