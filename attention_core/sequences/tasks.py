"""Small tasks from one string to another, made up on the fly: reverse, copy or sort digits, and rewrite a date."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import islice
from typing import NamedTuple
from zlib import crc32

import torch
from torch import Generator, Tensor

from attention_core.checks import InputError, check_choice, check_whole
from attention_core.data import LAST_SEED
from attention_core.sequences import dates
from attention_core.sequences.vocabulary import END, Vocabulary, padded

DIGITS = "0123456789"
SHORTEST, LONGEST = 1, 30  # characters of a digit string, drawn or typed
SPLITS = ("training", "unseen")
MOST_DRAWN = 100_000


class Lengths(NamedTuple):
    """How long the drawn strings are; dates have the length of their form, whatever stands here."""

    shortest: int = 3
    longest: int = 6


USUAL = Lengths()
Draw = Callable[[int, Lengths, Generator], list[str]]


@dataclass(frozen=True)
class Task:
    """What to read, what to write, and the right answer."""

    label: str
    alphabet: str  # that may be read
    written: str  # the alphabet of the answers
    example: str
    longest: int  # text that is taken
    solve: Callable[[str], str]  # the right answer, or an InputError where the text has none
    draw: Draw  # (count, lengths, generator) -> random texts
    has_lengths: bool = True  # whether the length of the drawn strings can be chosen

    @cached_property
    def source(self) -> Vocabulary:
        """The symbols it reads."""
        return Vocabulary(self.alphabet)

    @cached_property
    def target(self) -> Vocabulary:
        """The symbols it writes."""
        return Vocabulary(self.written)


def is_held_out(answer: str) -> bool:
    """Whether the texts with this answer are kept from training, as one in ten is: by a checksum of the answer.

    A date held out in one form is held out in all of them.
    """
    return crc32(answer.encode()) % 10 == 0


def check_text(task: Task, text: str) -> str:
    """The text without spaces around it, when a model of this task can read it, else one sentence that says why not."""
    text = text.strip()
    if not 1 <= len(text) <= task.longest:
        raise InputError(f"The text must have 1 to {task.longest} characters; it has {len(text):,}.")
    if (strange := task.source.strange(text)) is not None:
        raise InputError(f"{task.label}: the text may hold only {_allowed(task)}; {strange!r} is not one of them.")
    return text


def _allowed(task: Task) -> str:
    named = {" ": "space", ",": "comma", ".": "full stop"}
    marks = "".join(f", {named[mark]}" for mark in task.alphabet if mark in named)
    letters = "".join(filter(str.isalpha, task.alphabet))
    return "digits" + marks + (f" and the letters {letters}" if letters else "")


class Batch(NamedTuple):
    """Texts and their answers as numbers; each answer closes with the end symbol."""

    sources: Tensor  # (B, S) int64, padded
    source_lengths: Tensor  # (B,)
    targets: Tensor  # (B, T) int64, padded


def draw_digits(count: int, lengths: Lengths, generator: Generator) -> list[str]:
    """Random digits, so many strings of random lengths."""
    shortest, longest = lengths
    long = torch.randint(shortest, longest + 1, (count,), generator=generator).tolist()
    digits = torch.randint(10, (count, longest), generator=generator).tolist()
    return ["".join(map(str, row[:length])) for row, length in zip(digits, long, strict=True)]


def draw_dates(count: int, lengths: Lengths, generator: Generator) -> list[str]:
    """Random days as people write them."""
    days = torch.randint(dates.FIRST.toordinal(), dates.LAST.toordinal() + 1, (count,), generator=generator).tolist()
    forms = torch.randint(7, (count,), generator=generator).tolist()
    return [dates.written_forms(date.fromordinal(day))[form] for day, form in zip(days, forms, strict=True)]


def reversed_text(text: str) -> str:
    """The text from behind."""
    return text[::-1]


def same_text(text: str) -> str:
    """The text itself."""
    return text


def sorted_text(text: str) -> str:
    """The characters in their order."""
    return "".join(sorted(text))


TASKS: dict[str, Task] = {
    "reverse": Task("Reverse digits", DIGITS, DIGITS, "31415", LONGEST, reversed_text, draw_digits),
    "copy": Task("Copy digits", DIGITS, DIGITS, "31415", LONGEST, same_text, draw_digits),
    "sort": Task("Sort digits", DIGITS, DIGITS, "31415", LONGEST, sorted_text, draw_digits),
    "dates": Task(
        "Rewrite a date", dates.ALPHABET, DIGITS + "-", "3 May 1998", 40, dates.iso, draw_dates, has_lengths=False
    ),
}


def strings(task: Task, count: int, seed: int = 0, split: str = "training", lengths: Lengths = USUAL) -> list[str]:
    """Draw random texts of one split; the same seed gives the same texts, and no text is ever in both splits."""
    shortest, longest = lengths
    check_whole("count", count, 1, MOST_DRAWN)
    check_choice("split", split, SPLITS)
    check_whole("the longest length", longest, SHORTEST, LONGEST)
    check_whole("the shortest length", shortest, SHORTEST, longest)
    check_whole("seed", seed, 0, LAST_SEED)
    texts = drawn(task.draw, task.solve, count, seed, lengths, split == "unseen")
    if len(texts) < count:
        raise InputError(f"Too few texts of {shortest} to {longest} signs are {split}: allow longer ones.")
    return texts


def drawn(draw: Draw, solve: Callable[[str], str], count: int, seed: int, lengths: Lengths, unseen: bool) -> list[str]:
    """So many random texts: either those that are never trained on, one answer in ten, or the others."""
    generator = torch.Generator().manual_seed(seed)
    at_once = 10 * count if unseen else count + count // 4  # as many as will probably do
    texts = (text for _ in range(1_000) for text in draw(at_once, lengths, generator))  # or there are too few
    return list(islice((text for text in texts if is_held_out(solve(text)) == unseen), count))


def encoded(task: Task, texts: list[str]) -> Batch:
    """Texts and their right answers as one padded batch."""
    answers = [[*task.target.encode(task.solve(text)), END] for text in texts]
    return Batch(*padded([task.source.encode(text) for text in texts]), padded(answers)[0])
