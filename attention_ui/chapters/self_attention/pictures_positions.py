"""Positional encoding as pictures that follow an offset: waves, rotated pairs, and products of positions."""

import torch
from torch import Tensor

from attention_core.transformer.positions import encoding, frequencies, shift_rotation, similarity
from attention_ui.numbers import short
from attention_ui.pictures.graph import Axis, Graph, Trace
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture, Readout
from attention_ui.pictures.plane import Plane, Points

SHOWN = 40  # positions in the heatmaps
MOST = 40  # of the offset
PAIRS = 3  # in the plane: later ones hardly turn
FINER = 4  # points of a wave for each position
ROLES = ("prediction", "reference", "truth", "average")
NAMES = Names("position", "dimension", "value", "positions", "dimensions, or positions")


def rotated(width: int) -> tuple[Tensor, Tensor]:
    """R_k P for every offset k (F, N, width), and its largest difference from P of p + k (F,)."""
    whole = encoding(SHOWN + MOST, width)
    turned = torch.stack([whole[:SHOWN] @ shift_rotation(width, k).mT for k in range(MOST + 1)])
    there = torch.stack([whole[k : k + SHOWN] for k in range(MOST + 1)])
    return turned, (turned - there).abs().amax((1, 2))


def position_picture(width: int, position: int, columns: tuple[int, ...], slider: str) -> Picture:
    """P, the same rotated by the offset, all products of positions; beside them, columns as waves and the product."""
    turned, gaps = rotated(width)
    rows, dimensions = tuple(map(str, range(SHOWN))), tuple(map(str, range(width)))
    products = turned[0] @ turned[0].mT / (width / 2)
    panels = (
        Heatmap("P", turned[0], rows, dimensions),
        Heatmap("P, every pair rotated by k", turned, rows, dimensions),
        Heatmap("P Pᵀ, divided by d / 2", products, rows, rows),
    )
    captions = tuple(f"offset {k}" for k in range(MOST + 1))
    return Picture(
        (plane(width, position), *panels),
        captions,
        readouts(width, gaps),
        (waves(width, position, columns), product_graph(width)),
        slider=slider,
        low=-1.0,
        high=1.0,
        names=NAMES,
        across=4,
        height=220,
        fills=True,
        beside=True,
    )


def readouts(width: int, gaps: Tensor) -> tuple[Readout, ...]:
    """How exactly the rotation lands, and the product of two positions so far apart."""
    apart = similarity(torch.arange(MOST + 1), width)
    return (
        Readout(
            "Largest difference of the rotated row from P of p + k",
            tuple("0" if gap == 0 else f"{gap:.0e}" for gap in gaps.tolist()),
        ),
        Readout("P(p) · P(p + k), for every p", tuple(short(product, 4) for product in apart.tolist())),
    )


def plane(width: int, position: int) -> Plane:
    """The first pairs of one position as (cosine, sine), where they began and turned by every offset."""
    pairs = min(PAIRS, width // 2)
    turned = torch.stack([shift_rotation(width, k) @ encoding(position + 1, width)[position] for k in range(MOST + 1)])
    places = turned.unflatten(-1, (-1, 2))[:, :pairs].flip(-1)  # (F, pairs, 2): cosine across, sine up
    labels = tuple(f"pair {j}" for j in range(pairs))
    return Plane(
        "Pairs of position p, rotated by k",
        (
            Points("rotated", "query", places, labels),
            Points("p", "reference", places[:1], ("",) * pairs),
        ),
    )


def waves(width: int, position: int, columns: tuple[int, ...]) -> Graph:
    """Chosen columns of P over the positions, with the ball at position p + k on the first."""
    last = SHOWN + MOST
    fine = torch.linspace(0, last, FINER * last + 1, dtype=torch.float64)  # fractions too: a wave, not a zigzag
    whole, walk = encoding(fine, width), torch.arange(position, position + MOST + 1, dtype=torch.float64)
    speeds = frequencies(width)
    told = ", ".join(f"column {c} turns by {short(speeds[c // 2].item())} a step" for c in columns)
    return Graph(
        "Columns of P",
        Axis("position", 0.0, float(last)),
        Axis("value", -1.1, 1.1),
        tuple(Trace(f"column {c}", role, fine, whole[:, c]) for c, role in zip(columns, ROLES, strict=False)),
        (walk, encoding(walk, width)[:, columns[0]]),
        text=f"Columns of the positional encoding over the position: {told}.",
    )


def product_graph(width: int) -> Graph:
    """P[p] . P[p + k] over k: the same for every p."""
    offsets = torch.arange(-MOST, MOST + 1, dtype=torch.float64)
    products = similarity(offsets, width)
    room = 0.06 * (products.max() - products.min()).item()
    return Graph(
        "P(p) · P(p + k)",
        Axis("offset k", float(-MOST), float(MOST)),
        Axis("product", products.min().item() - room, products.max().item() + room),
        (Trace("product", "prediction", offsets, products),),
        (offsets[MOST:], products[MOST:]),
        text=f"Products of positions over their distance: {short(products[MOST].item())} at 0, "
        f"{short(products[MOST + 1].item())} at 1, {short(products[-1].item())} at {MOST}.",
    )
