"""What an experiment found."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor


class Finding(dict[str, Any]):
    """By their names: the answer that the numbers speak for, the numbers, and the tensors that pictures show."""

    def __init__(self, answer: str | float, numbers: Mapping[str, float], drawn: Mapping[str, Tensor]) -> None:
        super().__init__({"answer": answer, **numbers, **drawn})  # the answer is a word, or a number to guess
        self.answer, self.numbers, self.drawn = answer, numbers, drawn
