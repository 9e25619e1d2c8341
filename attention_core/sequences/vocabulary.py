"""The symbols a sequence model reads or writes: padding, begin, end, and one for each character."""

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from attention_core.checks import InputError

PADDING, BEGIN, END = 0, 1, 2
MARKS = ("padding", "begin", "end")


@dataclass(frozen=True)
class Vocabulary:
    """Numbers for the characters of an alphabet; a capital letter counts as its small one."""

    alphabet: str

    def __len__(self) -> int:
        return len(MARKS) + len(self.alphabet)

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """What each number stands for, as it may be shown: padding, begin, end, then the characters."""
        return (*MARKS, *self.alphabet)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        small = {character: number for number, character in enumerate(self.alphabet, len(MARKS))}
        return {character.upper(): number for character, number in small.items()} | small

    def strange(self, text: str) -> str | None:
        """The first character that is not in the alphabet, if there is one."""
        return next((character for character in text if character not in self._numbers), None)

    def encode(self, text: str) -> list[int]:
        """One number for each character."""
        if (strange := self.strange(text)) is not None:
            raise InputError(f"The text may hold only {self.alphabet!r}, and {strange!r} is not among these.")
        return [self._numbers[character] for character in text]

    def decode(self, numbers: Tensor | list[int]) -> str:
        """The characters up to the end symbol; padding and begin are left out."""
        listed = numbers.tolist() if isinstance(numbers, Tensor) else numbers
        if END in listed:
            listed = listed[: listed.index(END)]
        return "".join(self.symbols[number] for number in listed if number >= len(MARKS))


def padded(rows: list[list[int]]) -> tuple[Tensor, Tensor]:
    """Rows of symbols as one (B, longest) int64 tensor filled up with padding, and their lengths (B,)."""
    longest = max(map(len, rows))
    filled = torch.tensor([row + [PADDING] * (longest - len(row)) for row in rows])  # (B, longest)
    return filled, torch.tensor([len(row) for row in rows])
