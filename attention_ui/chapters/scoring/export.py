"""Tensors as tables for a spreadsheet: a matrix as it stands on the screen, or one row for every cell."""

from collections.abc import Sequence

import pandas as pd
from torch import Tensor


def wide(matrix: Tensor, rows: Sequence[str], columns: Sequence[str], corner: str = "query") -> pd.DataFrame:
    """A matrix (Q, K), its rows named in the first column."""
    table = pd.DataFrame(matrix.tolist(), columns=[str(column) for column in columns])
    table.insert(0, corner, list(rows))
    return table


def long(numbers: dict[str, Tensor], **places: Sequence[str | int]) -> pd.DataFrame:
    """One row for every cell of equally shaped tensors: its place on every axis, then its numbers."""
    index = pd.MultiIndex.from_product(list(places.values()), names=list(places))
    columns = {name: each.flatten().tolist() for name, each in numbers.items()}
    return pd.DataFrame(columns, index).reset_index()
