"""The gallery: many heatmaps under one colour bar, with one row of each read out as bars, moved by native sliders."""

from collections.abc import Mapping
from pathlib import Path

from torch import Tensor

from attention_core.demos.patterns import PATTERNS, pattern_frames
from attention_ui.chapters.heatmaps.choices import SHARPNESSES, Chosen
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix
from attention_ui.chapters.heatmaps.reduced import Reduced, reduced
from attention_ui.component import component
from attention_ui.numbers import short
from attention_ui.pictures.packing import framed
from attention_ui.pictures.picture import STYLE, send_message
from attention_ui.shared import shared

HERE = Path(__file__).parent
TIE = 1e-6  # weights that differ by less share the first place
MOST_SENT, MOST_SIDE = 2**18, 256  # cells of own weights in all, and along one side

GALLERY = component("gallery", HERE / "js" / "gallery.js", STYLE, HERE / "gallery.css")


@shared
def packed_patterns(chosen: Chosen, page: str) -> bytes:
    """The chosen patterns at every sharpness, as bytes for the browser."""
    frames = pattern_frames(chosen.names, chosen.n, chosen.band, SHARPNESSES)  # (F, P, Q, K)
    words = [PATTERNS[name] for name in chosen.names]
    header = {
        "titles": [pattern.label for pattern in words],
        "lead": "Each query attends to",
        "says": [pattern.attends_to for pattern in words],
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
    header = {
        "titles": matrix.titles,
        "lead": "",
        "says": [""] * len(matrix.titles),
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


def show(key: str, packed: bytes, row: int, frame: int = 0) -> None:
    """Show packed heatmaps; the sliders whose keys they carry move them without a word to the server.

    What follows only a released slider, whose row and frame these are, is dimmed meanwhile (Picture).
    """
    GALLERY(key=key, data=packed)
    send_message(key, {"row": row, "frame": frame})


def row_table(read: Mapping[str, Mapping[str, Tensor]], row: int, what: str = "Pattern") -> str:
    """Row by row in Markdown: the largest weight of a query, its key, and the effective number of keys."""
    lines = [
        f"| {what} | Largest weight | at key | Effective number of keys | Sum of the row |",
        "| --- |" + " ---: |" * 4,
    ]
    for title, matrix in read["weights"].items():
        largest = matrix[row].max()
        at = ((largest - matrix[row]).abs() < TIE).nonzero().flatten().tolist()
        where = str(at[0]) if len(at) == 1 else f"{len(at)} keys"
        share, total = (read[each][title][row].item() for each in ("effective", "sums"))
        cells = short(largest.item(), 4), where, short(share), short(total, 4)
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def shared_cells(matrix: OwnMatrix) -> str:
    """How many weights share a drawn cell, in words; empty where each has its own."""
    _, queries, keys = own_drawn(matrix)
    if queries * keys == 1:
        return ""
    return f"There are more weights than can be drawn: each cell is the mean of up to {queries} × {keys} of them."
