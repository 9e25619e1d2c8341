"""The gallery: many heatmaps under one colour bar, with one row of each read out as bars, moved by native sliders."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import plotly.graph_objects as go
import torch
from torch import Tensor

from attention_core.data import generate, query_grid
from attention_core.demos.patterns import PATTERNS, pattern_frames
from attention_core.pooling import kernel_pool
from attention_ui.chapters.heatmaps.choices import SHARPNESSES, Chosen
from attention_ui.chapters.heatmaps.export import exported_lab, exported_patterns
from attention_ui.chapters.heatmaps.export_own import exported_own
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix
from attention_ui.component import component
from attention_ui.controls.dataset import Dataset
from attention_ui.export import Export
from attention_ui.figures.heatmaps import Reduced, reduced, show_heatmaps
from attention_ui.numbers import short
from attention_ui.pictures.cache import chosen_widths
from attention_ui.pictures.packing import framed

HERE = Path(__file__).parent
TIE = 1e-6  # weights that differ by less share the first place
TABS = {"rows": "Row by row", "lab": "From the lab"}
MOST_SENT, MOST_SIDE = 2**18, 256  # cells of own weights in all, and along one side

GALLERY = component("gallery", HERE / "js" / "gallery.js", HERE / "js" / "gallery.css")


@lru_cache(64)
def packed_patterns(chosen: Chosen, page: str) -> bytes:
    """The chosen patterns at every sharpness, as bytes for the browser."""
    frames = pattern_frames(chosen.names, chosen.n, chosen.band, SHARPNESSES)  # (F, P, Q, K)
    words = [PATTERNS[name] for name in chosen.names]
    header = {
        "titles": [pattern.label for pattern in words],
        "says": [f"hears {pattern.hears}" for pattern in words],
        "sharpness": f"{page}_sharpness",
        "start": SHARPNESSES.index(1.0),
        "low": 0.0,
        "high": 1.0,
    }
    sides = {"queries": chosen.n, "keys": chosen.n, "shared": chosen.shared}
    return _packed({**header, **sides}, Reduced(frames, 1, 1), page)


def packed_own(matrix: OwnMatrix, page: str, shared: bool) -> bytes:
    """A user's own weights, as bytes for the browser: block means where they are many."""
    drawn = own_drawn(matrix)
    *_, queries, keys = matrix.weights.shape
    titles = own_titles(matrix)
    header = {
        "titles": titles,
        "says": [""] * len(titles),
        "sharpness": None,
        "start": 0,
        "low": min(0.0, drawn.matrices.min().item()),
        "high": max(drawn.matrices.max().item(), 1e-12),  # an all-zero picture still needs a range
    }
    sides = {"queries": queries, "keys": keys, "shared": shared}
    return _packed({**header, **sides}, drawn._replace(matrices=drawn.matrices.flatten(0, 1)[None]), page)


def own_drawn(matrix: OwnMatrix) -> Reduced:
    """Own weights as they are drawn: the more matrices, the fewer cells for each."""
    rows, columns = matrix.weights.shape[:2]
    return reduced(matrix.weights, min(MOST_SIDE, int((MOST_SENT / (rows * columns)) ** 0.5)))


def _packed(header: dict[str, object], drawn: Reduced, page: str) -> bytes:
    weights = drawn.matrices  # (F, P, Q, K)
    tops = weights.amax((2, 3)).clamp(min=1e-12)  # (F, P)
    ways = {"tops": tops.T.tolist(), "blocks": [drawn.queries, drawn.keys], "row": f"{page}_row"}
    return framed({**header, **ways}, *weights.float().unbind(1))


def show(key: str, packed: bytes) -> None:
    """Show packed heatmaps; the sliders whose keys they carry move them without a word to the server."""
    GALLERY(key=key, data=packed)


def own_titles(matrix: OwnMatrix) -> list[str]:
    """What each of a user's own matrices is called: by its place in the grid, counted from 0."""
    rows, columns = matrix.weights.shape[:2]
    if rows * columns == 1:
        return ["Your matrix"]
    return [f"{row}, {column}" if rows > 1 else f"Matrix {column}" for row in range(rows) for column in range(columns)]


def row_table(titles: Sequence[str], weights: Tensor, row: int, what: str = "Pattern") -> str:
    """Row by row in Markdown: the largest weight of a query, whose it is, and how many keys share its attention."""
    lines = [f"| {what} | Largest weight | at key | Keys listened to | Sum of the row |", "| --- |" + " ---: |" * 4]
    for title, matrix in zip(titles, weights, strict=True):
        listened = matrix[row]
        positive = listened.clamp(min=0)  # of own weights, which may be anything
        share = torch.special.entr(positive / positive.sum().clamp(min=1e-300)).sum().exp().item()
        largest = listened.max()
        at = ((largest - listened).abs() < TIE).nonzero().flatten().tolist()
        where = str(at[0]) if len(at) == 1 else f"{len(at)} keys"
        cells = short(largest.item(), 4), where, short(share), short(listened.sum().item(), 4)
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def shared_cells(matrix: OwnMatrix) -> str:
    """How many weights share a drawn cell, in words; empty where each has its own."""
    _, queries, keys = own_drawn(matrix)
    if queries * keys == 1:
        return ""
    return f"Too fine to draw one by one: every cell is the mean of up to {queries} × {keys} weights."


def lab_heatmaps() -> tuple[go.Figure, str]:
    """The lab's own weights at width 1 and at the leave-one-out width, and both in words."""
    samples, queries = generate(), query_grid()
    best = chosen_widths(Dataset(), "gaussian", False)["leave_one_out"]
    widths = torch.tensor([1.0, best], dtype=torch.float64)
    weights = kernel_pool(queries, samples.x, samples.y, widths[:, None, None]).weights  # (2, Q, K)
    titles = [f"width {short(width)}" for width in (1.0, best)]
    figure = show_heatmaps(weights[None], titles, "keys, by number", "queries, by number", square=True)
    largest = " and ".join(
        f"{short(matrix.max().item())} at {title}" for title, matrix in zip(titles, weights, strict=True)
    )
    return figure, f"Attention weights of 50 queries over 50 keys: the largest is {largest}."


def snippet(chosen: Chosen, sharpness: float) -> str:
    """A script that makes the gallery's weights and the same picture with plotly."""
    return f"""from attention_core.demos.patterns import pattern_weights
from attention_ui.figures.heatmaps import show_heatmaps

names = {list(chosen.names)!r}
weights = pattern_weights(names, n={chosen.n}, band={chosen.band}, sharpness={sharpness:g})

print(weights.shape)    # (patterns, queries, keys)
print(weights.sum(-1))  # every row sums to 1
show_heatmaps(weights[None], titles=names, square=True).show()
"""


def own_snippet(matrix: OwnMatrix) -> str:
    """A script that draws a user's own file."""
    return f"""import numpy as np
import torch
from attention_ui.figures.heatmaps import show_heatmaps

weights = torch.tensor(np.load("your_file.npy", allow_pickle=False)).reshape{tuple(matrix.weights.shape)}

print(weights.sum(-1))  # every row of attention weights sums to 1
show_heatmaps(weights, square=True).show()
"""


def patterns_taken_home(chosen: Chosen, sharpness: float, tab: str) -> Export:
    """The patterns as they hang here, or the lab's weights where those are open below them."""
    return exported_lab() if tab == "lab" else exported_patterns(chosen, sharpness)


def own_taken_home(matrix: OwnMatrix, shared: bool) -> Export:
    """A visitor's weights as they hang here."""
    return exported_own(matrix, own_titles(matrix), shared)
