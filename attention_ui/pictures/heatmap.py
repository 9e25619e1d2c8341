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
    def by_root(self) -> bool:
        """Whether shades follow the roots of the numbers: those of the weights beside a curve."""
        return self.keys is not None

    def packed(self, scale: Scale) -> Packed:
        """For the browser: js/heatmap.js shows it."""
        masks = self.masks()
        ends, cells = self._by_root() if self.by_root else (scale._asdict(), _levels(self.cells(), scale))
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

    def _by_root(self) -> tuple[dict[str, Any], Tensor]:
        """Weights from 0, or where some are below it from -1, to 1, by the roots of their sizes, in one byte each.

        A root tells 0.02 from 0.05 as well as 0.5 from 1, so that one scale serves the whole drag. A byte counts from
        the largest weight of its own frame; the exact weights follow with the update. One frame alone has two bytes.
        """
        cells = self.cells().float()
        tops, signed = cells.abs().amax((1, 2)).clamp(min=1e-30), bool(cells.min() < 0)  # tops: (F,)
        shares = (cells.abs() / tops[:, None, None]).sqrt_()
        if signed:
            shares.copysign_(cells)
        most = BYTE if len(cells) > 1 else TWO_BYTES
        zero = most // 2 if signed else 0
        levels = 2 * zero if signed else most
        header = {"tops": tops.tolist(), "low": -1.0 if signed else 0.0, "high": 1.0, "zero": zero, "levels": levels}
        steps = shares.mul_(levels - zero).add_(zero).round_().int()
        return header, steps.to(torch.uint8 if most == BYTE else torch.uint16)

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
