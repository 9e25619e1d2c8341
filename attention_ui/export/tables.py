"""The numbers of a picture as tables."""

import pandas as pd
from torch import Tensor

from attention_ui.controls.dataset import Dataset


def points_table(dataset: Dataset) -> pd.DataFrame:
    """The points by the number of their key, under the names they came with."""
    x, y = (column.tolist() for column in dataset.samples())
    rows = list(zip(range(len(x)), x, y, strict=True))
    return pd.DataFrame(rows, columns=["key", dataset.x_label, dataset.y_label])


def outputs_table(queries: Tensor, **outputs: Tensor) -> pd.DataFrame:
    """One row per query, one column per way to answer it."""
    return pd.DataFrame({"query": queries.tolist()} | {name: column.tolist() for name, column in outputs.items()})


def run_table(w: Tensor, losses: Tensor, shares: Tensor | None = None) -> pd.DataFrame:
    """One row per epoch, the first before any: w (E + 1,), or of every head (E + 1, H) with its share, and the loss."""
    table = {"epoch": list(range(len(w)))}
    for name, columns in {"w": w, "share": shares}.items():
        if columns is not None and columns.ndim == 1:
            table[name] = columns.tolist()
        elif columns is not None:
            table |= {f"{name}_{head}": column.tolist() for head, column in enumerate(columns.T, 1)}
    return pd.DataFrame({**table, "loss": losses.tolist()})


def weights_table(queries: Tensor, weights: Tensor, size: int = 1) -> pd.DataFrame:
    """Queries down, keys across, as on the screen: the first column is the query, then a column per key.

    Where so many neighbours share a column, it has the name of the first of them.
    """
    table = pd.DataFrame(weights.numpy(), columns=_keys(weights.shape[1], size))
    table.insert(0, "query", queries.tolist())
    return table


def _keys(count: int, size: int) -> list[str]:
    """The names of so many columns of weights, each of a key or of so many neighbours."""
    called = "key" if size == 1 else f"sum_of_{size}_from_key"
    return [f"{called}_{size * place}" for place in range(count)]


def stacked_table(names: list[str], matrices: Tensor, called: str = "matrix", size: int = 1) -> pd.DataFrame:
    """Several matrices of weights (M, Q, K) one below the other, each row with its name and its query."""
    count, queries, keys = matrices.shape
    table = pd.DataFrame(matrices.reshape(-1, keys).numpy(), columns=_keys(keys, size))
    table.insert(0, "query", list(range(queries)) * count)
    table.insert(0, called, [name for name in names for _ in range(queries)])
    return table


def entries_table(batch: Tensor) -> pd.DataFrame:
    """A batch of matrices (n, rows, columns) entry by entry: its place, counted from 0, and its value."""
    places = [(*place, batch[tuple(place)].item()) for place in batch.isfinite().nonzero().tolist()]
    return pd.DataFrame(places, columns=["matrix", "row", "column", "value"])
