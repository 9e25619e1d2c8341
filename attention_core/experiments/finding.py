"""What an experiment found."""

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Finding:
    """The answer that the numbers speak for (a word, or a number to guess), the numbers, and what pictures show."""

    answer: str | float
    numbers: Mapping[str, float]
    drawn: Mapping[str, Tensor]
