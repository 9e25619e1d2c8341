"""A graph in a picture: lines and bars that stay, parts that move with the frame, and a ball on its way."""

from typing import Any, NamedTuple

from torch import Tensor

from attention_ui.pictures.packing import Packed, rounded


class Axis(NamedTuple):
    """What an axis measures, from where to where it is drawn, evenly or by powers of ten.

    Ticks are round numbers, unless it has its own. Those of an axis without a label are names, and all are shown.
    """

    label: str
    low: float
    high: float
    log: bool = False
    ticks: tuple[tuple[float, str], ...] = ()


class Trace(NamedTuple):
    """A line or bars in one of the roles of the palette; a ghost is an earlier run, drawn faintly.

    A line that grows is drawn from the left up to the ball. NaN leaves a bar out.
    """

    name: str
    role: str  # prediction, reference, truth, average or points
    x: Tensor  # (P,)
    y: Tensor  # (P,)
    ghost: bool = False
    grows: bool = False
    kind: str = "line"  # line, signs (without a line) or bars
    sign: str = ""  # at every number: circle, square, diamond, star, up, down or dash
    hatch: str = ""  # over bars: /, x or -
    wide: float = 0.0  # a bar, as the x axis measures it
    base: Tensor | None = None  # (P,): where bars begin, if not at 0
    texts: tuple[str, ...] = ()  # (P,): what stands at the end of every bar, or is told at every number of a line


class Moving(NamedTuple):
    """A line, bars or a band with its own places in every frame; NaN leaves a gap."""

    name: str
    role: str
    x: Tensor  # (P,), or (F, P) where it moves across too
    y: Tensor  # (F, P); of a band (F, 2, P): its lower and its upper edge
    kind: str = "line"  # line, bars or band


class Mark(NamedTuple):
    """A named place on the graph."""

    name: str
    x: float
    y: float
    sign: str = "diamond"  # as those of a trace
    late: bool = False  # shown at the last frame alone: before that it would give the end away


class Graph(NamedTuple):
    """Lines, named places, what moves, and the ball's place at every frame."""

    title: str
    x: Axis
    y: Axis
    traces: tuple[Trace, ...] = ()
    ball: tuple[Tensor, Tensor] | None = None  # x (F,) and y (F,)
    marks: tuple[Mark, ...] = ()
    trail: bool = False  # whether the way of the ball is drawn behind it
    text: str = ""  # the text alternative, with its numbers
    moving: tuple[Moving, ...] = ()
    heights: Tensor | None = None  # (F, 2): where the y axis begins and ends, if in every frame elsewhere
    upright: Mark | None = None  # a dotted line over the full height at its x
    texts: tuple[str, ...] = ()  # (F,): the text alternative of every frame
    listed: bool = False  # names of marks above the graph instead of beside the marks
    chooses: bool = False  # a click or a drag on it moves the picture's slider

    def packed(self) -> Packed:
        """For the browser: js/graph.js shows it."""
        header = {
            "title": self.title,
            "text": self.text or self.title,
            "x": self.x._asdict(),
            "y": self.y._asdict(),
            "traces": [_trace(trace) for trace in self.traces],
            "ball": self.ball and [rounded(place) for place in self.ball],
            "marks": [mark._asdict() for mark in self.marks],
            "trail": self.trail,
            "moving": [{"name": m.name, "role": m.role, "kind": m.kind} for m in self.moving],
            "heights": None if self.heights is None else self.heights.tolist(),
            "upright": self.upright and self.upright._asdict(),
            "texts": self.texts,
            "listed": self.listed,
            "chooses": self.chooses,
        }
        return Packed(header, tuple(numbers.float() for part in self.moving for numbers in (part.x, part.y)))


def _trace(trace: Trace) -> dict[str, Any]:
    base = None if trace.base is None else rounded(trace.base)
    return {**trace._asdict(), "x": rounded(trace.x), "y": rounded(trace.y), "base": base}
