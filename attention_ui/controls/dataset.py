"""What a page works on: made-up, measured, or a user's own points."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import torch

from attention_core.data import FUNCTIONS, HIGH, LOW, MEASURED, Samples, generate, has_truth, measured, samples_from
from attention_core.learning.stretch import Stretched, as_they_are, stretched

OWN = "own"
EDITED = ", edited"
PADDING = 0.05  # of the range, on either side


def labels() -> dict[str, str]:
    """Every data set that there is, by its id."""
    return {name: known.label for name, known in (FUNCTIONS | MEASURED).items()} | {OWN: "Your own data"}


@dataclass(frozen=True)
class Dataset:
    """A choice of data: equal choices are equal, hash alike, and hold the same points."""

    name: str = "wave"
    n: int = 50  # this, noise and seed say something about made-up functions only
    noise: float = 0.5
    seed: int = 0
    # Own points, every x and then every y, as the bytes of their float64: their hash is made once and kept, so that a
    # Dataset is a cheap and exact key of a cache.
    packed: bytes | None = None
    x_label: str = "x"
    y_label: str = "y"
    origin: str = ""  # where own points come from
    curve: str = ""  # the function behind own points, where they are made-up ones that were edited

    @classmethod
    def measured(cls, name: str) -> Self:
        """One of the three measured data sets."""
        return cls(name, x_label=MEASURED[name].x_label, y_label=MEASURED[name].y_label)

    @classmethod
    def own(cls, samples: Samples, x_label: str, y_label: str, origin: str, curve: str = "") -> Self:
        """A user's own points; the curve behind them is known from 0 to 5 alone."""
        packed = torch.cat(samples).numpy().tobytes()
        known = curve if samples.x[0] >= LOW and samples.x[-1] <= HIGH else ""
        return cls(OWN, len(samples.x), packed=packed, x_label=x_label, y_label=y_label, origin=origin, curve=known)

    def samples(self) -> Samples:
        """The points as float64 tensors, sorted by x; made once, so leave them unchanged."""
        return self._samples

    @cached_property
    def _samples(self) -> Samples:
        if self.packed is not None:
            x, y = torch.frombuffer(bytearray(self.packed), dtype=torch.float64).view(2, -1)
            return Samples(x, y)
        if self.name in MEASURED:
            return measured(self.name)
        return generate(self.name, self.n, self.noise, self.seed)

    def trained(self) -> Stretched:
        """The points that a model learns from: made-up ones as they are, others on the scale of the made-up ones."""
        return self._trained

    @cached_property
    def _trained(self) -> Stretched:
        return as_they_are(self.samples()) if self.has_truth else stretched(self.samples())

    def changed(self, left_out: int | None = None, added: tuple[float, float] | None = None) -> Self:
        """These points without the one at this position, and with one more, as own data."""
        kept = [pair for position, pair in enumerate(self.points) if position != left_out]
        x, y = torch.tensor([*kept, *([added] if added else [])], dtype=torch.float64).T
        return self.edited(samples_from(x, y))

    def edited(self, samples: Samples) -> Self:
        """Other points in place of these, as own data that measure the same."""
        origin = self.title if self.title.endswith(EDITED) else self.title + EDITED
        return self.own(samples, self.x_label, self.y_label, origin, self.true_curve)

    @property
    def points(self) -> tuple[tuple[float, float], ...]:
        """The points as pairs."""
        x, y = self.samples()
        return tuple(zip(x.tolist(), y.tolist(), strict=True))

    @property
    def title(self) -> str:
        """What to call it: plain text that may come from a user's file, so not Markdown."""
        return self.origin or labels()[self.name]

    @property
    def has_truth(self) -> bool:
        """Whether it is made up, as it stands: the true curve is known, and the recipe for more of it."""
        return has_truth(self.name)

    @property
    def true_curve(self) -> str:
        """The function behind the points, also when some of them were edited; nothing where nobody knows it."""
        return self.name if self.has_truth else self.curve

    @property
    def low(self) -> float:
        """Where a picture of it begins."""
        return LOW if self.true_curve else float(self.samples().x[0]) - self._padding

    @property
    def high(self) -> float:
        """Where a picture of it ends."""
        return HIGH if self.true_curve else float(self.samples().x[-1]) + self._padding

    @property
    def _padding(self) -> float:
        x = self.samples().x
        return PADDING * float(x[-1] - x[0])
