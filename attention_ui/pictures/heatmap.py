"""A heatmap as a panel of a picture: queries down, keys across, one shade per cell."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attention_ui.pictures.packing import Packed, rounded

BYTE, TWO_BYTES = 255, 65_535  # steps of a cell from low to high; with the latter four decimals of a weight stay right


class Names(NamedTuple):
    """What a row, a column and a cell are called, what rows and columns are together, and what a hatched cell is."""

    row: str = "query"
    column: str = "key"
    cell: str = "weight"
    rows: str = "queries"
    columns: str = "keys"
    hatched: str = "masked"


class Scale(NamedTuple):
    """The ends of a colour scale, and in how many steps a cell travels; 0 is float32."""

    low: float
    high: float
    levels: int = 0


class Written(NamedTuple):
    """What a still picture writes into the cells of a heatmap, beside its rows, and where a pointer rests."""

    texts: Sequence[Sequence[str]]  # (Q, K)
    tips: Sequence[Sequence[str]]  # (Q, K)
    sums: Sequence[str] = ()  # (Q,): at the right edge


class Heatmap(NamedTuple):
    """A heatmap; one without a frame axis stays still while others move."""

    title: str
    frames: Tensor  # (F, Q, K) or (Q, K)
    rows: tuple[str, ...] | Tensor  # (Q,) labels: characters or words; numbers beside a curve
    columns: tuple[str, ...] | Tensor  # (K,)
    hatched: Tensor | None = None  # bool, (F, Q, K) or (Q, K): cells that do not count, masked ones or others
    notes: tuple[str, ...] = ()  # (F,) or (1,): a line below it, with its numbers
    keys: int | None = None  # beside a curve: how many keys there are, whose neighbours may share a column
    written: Written | None = None  # in a still picture that shows numbers; by default its cells with two decimals

    def cells(self) -> Tensor:
        """With a frame axis in any case, (F or 1, Q, K)."""
        return self.frames if self.frames.ndim == 3 else self.frames[None]

    def masks(self) -> Tensor | None:
        """The masked cells, (F or 1, Q, K)."""
        if self.hatched is None:
            return None
        return self.hatched if self.hatched.ndim == 3 else self.hatched[None]

    @property
    def own_scale(self) -> bool:
        """Whether every frame has its own colour scale: that of the weights beside a curve."""
        return self.keys is not None

    def packed(self, scale: Scale) -> Packed:
        """For the browser: js/heatmap.js shows it."""
        masks = self.masks()
        ends, cells = self._by_frame() if self.own_scale else (scale._asdict(), _levels(self.cells(), scale))
        header = {
            "kind": "heatmap",
            "title": self.title,
            "rows": rounded(self.rows) if isinstance(self.rows, Tensor) else self.rows,
            "columns": rounded(self.columns) if isinstance(self.columns, Tensor) else self.columns,
            "notes": self.notes,
            "keys": self.keys,
            **ends,
        }
        return Packed(header, (cells,) if masks is None else (cells, masks.to(torch.uint8)))

    def _by_frame(self) -> tuple[dict[str, Any], Tensor]:
        """The scale of every frame, and its weights in one byte each; the exact weights follow with the update."""
        cells = self.cells()
        low, high = cells.amin((1, 2)).clamp(max=0), cells.amax((1, 2))  # (F,)
        if bool((low < 0).any()):
            high = torch.maximum(-low, high)
            low = -high
        shades = (cells - low[:, None, None]) / (high - low).clamp(min=1e-30)[:, None, None] * BYTE
        ends = {"low": low.tolist(), "high": high.tolist(), "levels": BYTE}
        return ends, shades.round().to(torch.uint8)

    def check(self, frames: int) -> None:
        """Raise where tensors and labels do not fit together, or not a picture of so many frames."""
        kept, *sides = self.cells().shape
        if kept not in (1, frames) or sides != [len(self.rows), len(self.columns)]:
            raise ValueError(
                f"{self.title!r} has shape {tuple(self.frames.shape)} for {frames} frames, "
                f"{len(self.rows)} row labels and {len(self.columns)} column labels."
            )
        masks = self.masks()
        if masks is not None and (len(masks) not in (1, frames) or list(masks.shape[1:]) != sides):
            raise ValueError(f"{self.title!r} has cells of shape {(kept, *sides)} but masks of {tuple(masks.shape)}.")
        if len(self.notes) not in (0, 1, frames):
            raise ValueError(f"{self.title!r} has {len(self.notes)} notes for {frames} frames.")


def _levels(cells: Tensor, scale: Scale) -> Tensor:
    """Cells as float32, or as whole steps from low to high."""
    if not scale.levels:
        return cells.float()
    share = (cells.double().nan_to_num(scale.low) - scale.low) / (scale.high - scale.low)
    return (share.clamp(0, 1) * scale.levels).round().int().to(torch.uint16)
