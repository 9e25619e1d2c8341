"""The widths that a slider offers for some data, where it begins, and how they read."""

import math
from functools import lru_cache

from attention_ui.controls.dataset import Dataset
from attention_ui.numbers import short

STEPS = 40  # per factor of ten, so that 0.1, 1 and 10 are among them
# With more keys than this there are fewer positions: all of them would take local lines under a kernel that ends more
# than 5 seconds for the errors at every width. A Gaussian alone would not need it: 100,000 keys take it 1 second.
MANY, FEW_STEPS = 10_000, 10
NARROW, WIDE = 0.004, 4.0  # of the range of the keys
LABEL = "Drag the width σ from blurred to sharp"


def steps_for(n: int) -> int:
    """Positions per factor of ten, for so many keys."""
    return STEPS if n <= MANY else FEW_STEPS


@lru_cache(256)
def _lattice(span: float, steps: int) -> frozenset[float]:
    last, first = (round(steps * math.log10(share * span)) for share in (NARROW, WIDE))
    return frozenset(float(f"{10 ** (step / steps):.3g}") for step in range(last, first + 1))


def width_options(span: float, steps: int = STEPS, current: float | None = None) -> list[float]:
    """Widths from blurred to sharp for keys over this span, and the current one wherever it lies between."""
    return sorted(_lattice(span, steps) | ({current} if current else set()), reverse=True)


def usual_width(dataset: Dataset) -> float:
    """Where the slider begins: a fifth of the range, which on d2l's data is the chapter's width 1."""
    span = dataset.high - dataset.low
    return min(width_options(span, FEW_STEPS), key=lambda width: abs(math.log(width / span * 5)))


@lru_cache(4096)  # a slider asks for all of its 121 texts on every rerun
def width_text(width: float) -> str:
    """Both read-outs of the one control: sigma, and w = 1 / sigma."""
    return f"σ {short(width)} · w {short(1 / width)}"
