"""Small drawings as SVG text: a few shapes, and the theme's colours by their roles."""

from collections.abc import Iterable
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from torch import Tensor

WIDE, HIGH = 220, 120
INK = "currentColor"
# Set from the theme by js/picture.js, with the names of attention_ui/palette.py.
PREDICTION, REFERENCE, TRUTH, AVERAGE, POINTS, QUERY = (
    f"var(--{role})" for role in ("prediction", "reference", "truth", "average", "points", "query")
)
SHADES = 10


class Drawing(NamedTuple):
    """A picture, and what it shows in words."""

    svg: str
    alt: str


def drawing(alt: str, *shapes: str) -> Drawing:
    """The shapes on a sheet of 220 by 120, with their text alternative."""
    options = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDE} {HIGH}", "role": "img", "aria-label": alt}
    return Drawing(tag("svg", *shapes, **options), alt)


def tag(name: str, *children: str, **attributes: object) -> str:
    """One element; stroke_width is written stroke-width, and class_ is class."""
    names = {key: key.rstrip("_").replace("_", "-") for key in attributes}
    written = "".join(f" {names[key]}={quoteattr(_text(value))}" for key, value in attributes.items())
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def _text(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def rect(x: float, y: float, width: float, height: float, fill: str, **options: object) -> str:
    """A filled rectangle."""
    return tag("rect", x=float(x), y=float(y), width=float(width), height=float(height), fill=fill, **options)


def circle(x: float, y: float, r: float, fill: str, **options: object) -> str:
    """A filled circle."""
    return tag("circle", cx=float(x), cy=float(y), r=float(r), fill=fill, **options)


def ring(x: float, y: float, r: float, stroke: str = POINTS, **options: object) -> str:
    """An open circle."""
    return circle(x, y, r, "none", stroke=stroke, **{"stroke_width": 1.6, **options})


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, **options: object) -> str:
    """A straight line."""
    ends = {"x1": float(x1), "y1": float(y1), "x2": float(x2), "y2": float(y2)}
    return tag("line", **ends, stroke=stroke, **{"stroke_width": 2, "stroke_linecap": "round", **options})


def trace(points: Iterable[tuple[float, float]], stroke: str, **options: object) -> str:
    """A line through the points."""
    path = "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return tag("path", d=path, fill="none", stroke=stroke, **{"stroke_width": 3, "stroke_linejoin": "round", **options})


def diamond(x: float, y: float, size: float, fill: str) -> str:
    """A square on its tip: how a query is drawn."""
    return tag("path", d=f"M{x:.1f},{y - size:.1f}l{size},{size}l{-size},{size}l{-size},{-size}z", fill=fill)


def shades(weights: Tensor) -> Tensor:
    """Each weight as one of ten shades, 0 for nothing and 9 for the largest."""
    return (weights / weights.max() * (SHADES - 1)).round().long()


def cells(weights: Tensor, x: float, y: float, size: float) -> str:
    """A matrix (rows, columns) as squares, one path per shade; size is that of one cell."""
    level, paths = shades(weights), []
    for shade in level.unique().tolist():
        places = (level == shade).nonzero().tolist()
        path = "".join(f"M{x + size * j:.4g},{y + size * i:.4g}h{size:g}v{size:g}h-{size:g}z" for i, j in places)
        paths.append(tag("path", d=path, fill=f"var(--shade-{shade})"))
    rows, columns = weights.shape
    frame = rect(x, y, columns * size, rows * size, "none", stroke=INK, stroke_opacity=0.35)
    return tag("g", *paths, frame, shape_rendering="crispEdges")
