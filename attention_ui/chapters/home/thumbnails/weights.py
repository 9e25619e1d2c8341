"""The weights of one query as bars at their keys: one row per head."""

from torch import Tensor

from attention_ui.chapters.home.thumbnails.drawing import (
    HIGH,
    INK,
    PREDICTION,
    QUERY,
    REFERENCE,
    WIDE,
    Drawing,
    drawing,
    line,
    rect,
)

BAR = 11.0
FLOOR, HEIGHT = 112.0, 100.0  # of the lowest row, and of the whole picture


def weight_bars(alt: str, query: float, keys: Tensor, weights: Tensor, tallest: float) -> Drawing:
    """Bars (H, K) over keys from 0 to 5, the query as a dashed line; `tallest` is the weight of a full height."""
    shapes = [line(_across(query), HIGH - FLOOR - 2, _across(query), FLOOR, QUERY, stroke_dasharray="3 4")]
    rows = len(weights)
    for row, fill in zip(range(rows), (PREDICTION, REFERENCE), strict=False):
        floor = FLOOR - HEIGHT / rows * row
        shapes += [_bar(key, weight / tallest * HEIGHT, floor, fill) for key, weight in _pairs(keys, weights[row])]
        shapes.append(line(6, floor, WIDE - 6, floor, INK, stroke_width=1.5, stroke_opacity=0.5))
    return drawing(alt, *shapes)


def _pairs(keys: Tensor, weights: Tensor) -> list[tuple[float, float]]:
    return list(zip(keys.tolist(), weights.tolist(), strict=True))


def _bar(key: float, height: float, floor: float, fill: str) -> str:
    return rect(_across(key) - BAR / 2, floor - height, BAR, height, fill, rx=1.5, class_="weight")


def _across(x: float) -> float:
    """Where a key or query from 0 to 5 stands."""
    return 10 + x / 5 * (WIDE - 20)
