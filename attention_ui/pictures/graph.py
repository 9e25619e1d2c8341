"""A small line graph below the panels of a picture, with a ball that stands where the frame is."""

from typing import Any, NamedTuple

from torch import Tensor

from attention_ui.pictures.packing import rounded


class Axis(NamedTuple):
    """What an axis measures, from where to where it is drawn, evenly or by powers of ten."""

    label: str
    low: float
    high: float
    log: bool = False


class Trace(NamedTuple):
    """A line in one of the roles of the palette; a ghost is an earlier run, drawn faintly.

    A line that grows is drawn from the left up to the ball.
    """

    name: str
    role: str  # prediction, reference, truth, average or points
    x: Tensor  # (P,)
    y: Tensor  # (P,)
    ghost: bool = False
    grows: bool = False


class Mark(NamedTuple):
    """A named place on the graph."""

    name: str
    x: float
    y: float


class Graph(NamedTuple):
    """Lines, named places, and the ball's place at every frame."""

    title: str
    x: Axis
    y: Axis
    traces: tuple[Trace, ...]
    ball: tuple[Tensor, Tensor]  # x (F,) and y (F,)
    marks: tuple[Mark, ...] = ()
    trail: bool = False  # whether the way of the ball is drawn behind it
    text: str = ""  # the text alternative, with its numbers

    def header(self) -> dict[str, Any]:
        """What JSON can carry."""
        return {
            "title": self.title,
            "text": self.text or self.title,
            "x": self.x._asdict(),
            "y": self.y._asdict(),
            "traces": [{**t._asdict(), "x": rounded(t.x), "y": rounded(t.y)} for t in self.traces],
            "ball": [rounded(place) for place in self.ball],
            "marks": [mark._asdict() for mark in self.marks],
            "trail": self.trail,
        }
