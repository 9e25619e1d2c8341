"""The colours, by role. Their values stand in .streamlit/config.toml, once for light and once for dark.

Streamlit replaces these stand-ins by the theme's own chart colours in the browser, so one figure serves both themes
and changes with them at once; the stage reads the same colours as CSS variables. No role is told by colour alone.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

# Slots of chartCategoricalColors.
PREDICTION, REFERENCE, TRUTH, AVERAGE, POINTS, QUERY = (f"#{slot:06d}" for slot in range(1, 7))
INK = f"#{10:06d}"  # a further line, as dark as text

# Slots of chartSequentialColors, from no weight to the most.
SEQUENTIAL = [[step / 9, f"#{11 + step:06d}"] for step in range(10)]

# Slots of chartDivergingColors: five below 0 and five above it; 0 itself has the colour of no weight.
_BELOW, _ABOVE = [f"#{slot:06d}" for slot in range(21, 26)], [f"#{slot:06d}" for slot in range(26, 31)]
DIVERGING = [[step / 10, slot] for step, slot in enumerate([*_BELOW, SEQUENTIAL[0][1], *_ABOVE])]

CONFIG = Path(__file__).parents[1] / ".streamlit" / "config.toml"


class Shades(NamedTuple):
    """A scale of colours and the numbers at its ends."""

    colours: list[list[Any]]
    low: float
    high: float


def shades(low: float, high: float) -> Shades:
    """The colours of numbers from low to high: one hue, or where some are below 0 two, equally far around 0."""
    if low >= 0:
        return Shades(SEQUENTIAL, low, high)
    far = max(-low, high)
    return Shades(DIVERGING, -far, far)


@cache
def theme(base: Literal["light", "dark"]) -> dict[str, Any]:
    """The options of one theme, as .streamlit/config.toml has them."""
    options: dict[str, Any] = tomllib.loads(CONFIG.read_text("utf-8"))["theme"][base]
    return options
