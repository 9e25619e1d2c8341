"""Cost against length, counted and measured, on axes by powers of ten."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor

from attention_core.transformer.cost import LAYERS, LENGTHS
from attention_ui.pictures.charts import lines
from attention_ui.pictures.picture import Picture


def counted(multiplications: Tensor) -> Picture:
    """Multiplications (layers, lengths) over the length, constant factors included."""
    return _over_length(dict(zip(LAYERS, multiplications, strict=True)), "multiplications")


def measured(best: Mapping[str, Mapping[int, float]]) -> Picture:
    """The seconds of every layer at each length that was measured."""
    rows = {
        name: torch.tensor([times.get(n, torch.nan) for n in LENGTHS], dtype=torch.float64)
        for name, times in best.items()
        if times
    }
    return _over_length(rows, "seconds")


def _over_length(rows: Mapping[str, Tensor], label: str) -> Picture:
    named = {LAYERS[name].label: row for name, row in rows.items()}
    return replace(lines(torch.tensor(LENGTHS), named, ("length n", label), "xy"), fills=False)
