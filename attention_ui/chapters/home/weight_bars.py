"""The weights of one query as bars at their keys: one row per head."""

from xml.sax.saxutils import quoteattr

from torch import Tensor

WIDE, HIGH, BAR = 220, 120, 11
FLOOR, HEIGHT = 112, 100  # of the lowest row, and of the whole picture
SHEET = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label='


def weight_bars(alt: str, query: float, keys: Tensor, weights: Tensor, tallest: float) -> str:
    """An SVG of bars (H, K) over keys from 0 to 5, the query dashed; `tallest` is the weight of a full height."""
    at = _across(query)
    shapes = [_line(at, HIGH - FLOOR - 2, at, FLOOR, 'stroke="var(--query)" stroke-width="2" stroke-dasharray="3 4"')]
    for row, role in zip(range(len(weights)), ("prediction", "reference"), strict=False):
        floor = FLOOR - HEIGHT / len(weights) * row
        for key, weight in zip(keys.tolist(), weights[row].tolist(), strict=True):
            shapes.append(_bar(key, weight / tallest * HEIGHT, floor, role))
        shapes.append(_line(6, floor, WIDE - 6, floor, 'stroke="currentColor" stroke-width="1.5" stroke-opacity="0.5"'))
    return f"{SHEET}{quoteattr(alt)}>{''.join(shapes)}</svg>"


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line x1="{x1:.4g}" y1="{y1:.4g}" x2="{x2:.4g}" y2="{y2:.4g}" stroke-linecap="round" {style}/>'


def _bar(key: float, height: float, floor: float, role: str) -> str:
    place = f'x="{_across(key) - BAR / 2:.4g}" y="{floor - height:.4g}" width="{BAR}" height="{height:.4g}"'
    return f'<rect {place} rx="1.5" fill="var(--{role})"/>'


def _across(x: float) -> float:
    """Where a key or query from 0 to 5 stands."""
    return 10 + x / 5 * (WIDE - 20)
