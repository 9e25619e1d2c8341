"""How far a student has come: where, with which answers, on which seeds. All of it stands in the link."""

import secrets
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

import streamlit as st

from attention_ui.chapters.exercises.contents import EXERCISES
from attention_ui.link.choice import note_text, register, text_in_link, write_link

OPEN = "-"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
LAST_SEED = 9999  # of a student
KEPT = "exercises_kept"


@dataclass(frozen=True)
class Progress:
    """One letter for each exercise: the answer committed to (a for the first, - for none yet), and how many tries."""

    seed: int
    at: int = 0  # the exercise on the screen, from 0
    answers: str = field(default_factory=lambda: OPEN * len(EXERCISES))
    tries: str = field(default_factory=lambda: DIGITS[0] * len(EXERCISES))

    def code(self, place: int) -> str | None:
        """The answer of one exercise, if there is one."""
        letter = self.answers[place]
        return None if letter == OPEN else EXERCISES[place].answer.codes[ord(letter) - ord("a")]

    def seed_of(self, place: int) -> int:
        """The seed of one exercise: the student's, its number, and the try; an experiment may use the nine after it."""
        return self.seed * 100_000 + (place + 1) * 1_000 + self.try_of(place) * 10

    def try_of(self, place: int) -> int:
        """How often it was tried before."""
        return DIGITS.index(self.tries[place])

    @property
    def answered(self) -> list[int]:
        """The places of the exercises that are answered."""
        return [place for place, letter in enumerate(self.answers) if letter != OPEN]

    def moved(self, place: int) -> "Progress":
        """The progress at another exercise: the first at the least, the last at the most."""
        return replace(self, at=min(max(place, 0), len(EXERCISES) - 1))

    def committed(self, code: str) -> "Progress":
        """The progress with this answer to the exercise on the screen."""
        letter = chr(ord("a") + EXERCISES[self.at].answer.codes.index(code))
        return replace(self, answers=_put(self.answers, self.at, letter))

    def again(self) -> "Progress":
        """The progress with the exercise on the screen open again, on the next seed."""
        next_try = DIGITS[(self.try_of(self.at) + 1) % len(DIGITS)]
        return replace(self, answers=_put(self.answers, self.at, OPEN), tries=_put(self.tries, self.at, next_try))

    @property
    def link(self) -> dict[str, str]:
        """What stands in the link; trailing blanks are left away."""
        return {
            "exercises_seed": str(self.seed),
            "exercises_at": EXERCISES[self.at].name,
            "exercises_answers": self.answers.rstrip(OPEN),
            "exercises_tries": self.tries.rstrip(DIGITS[0]),
        }

    @property
    def query(self) -> str:
        """The same as the end of an address."""
        return urlencode({name: value for name, value in self.link.items() if value})


def _put(text: str, place: int, letter: str) -> str:
    return text[:place] + letter + text[place + 1 :]


def parsed(start: Progress, seed: str = "", at: str = "", answers: str = "", tries: str = "") -> Progress:
    """What a link says; a bad part counts as missing. With a seed it stands for itself, else it goes on from start."""
    student, count = _whole(seed, LAST_SEED), len(EXERCISES)
    base = start if student is None else Progress(student)
    letters = "".join(_answer(place, letter) for place, letter in enumerate(answers[:count].ljust(count, OPEN)))
    counted = "".join(each if each in DIGITS else DIGITS[0] for each in tries[:count].ljust(count, DIGITS[0]))
    return Progress(
        base.seed,
        _place(at, base.at),
        letters if answers else base.answers,
        counted if tries else base.tries,
    )


def _place(text: str, otherwise: int) -> int:
    """The place of the exercise with this id; older links count them from 1."""
    names = [exercise.name for exercise in EXERCISES]
    return names.index(text) if text in names else (_whole(text, len(names)) or otherwise + 1) - 1


def _answer(place: int, letter: str) -> str:
    offered = len(EXERCISES[place].answer.codes)
    return letter if 0 <= ord(letter) - ord("a") < offered else OPEN


def _whole(text: str, last: int) -> int | None:
    """A whole number up to the last one, in plain digits."""
    plain = text.isascii() and text.isdecimal() and len(text) <= 9
    return int(text) if plain and int(text) <= last else None


def _at_written(text: str) -> str | None:
    place = _place(text, -1)
    return EXERCISES[place].name if place >= 0 else None


def progress() -> Progress:
    """What the link says, else where this visitor left off; a newcomer gets a seed of one's own."""
    said = (text_in_link(f"exercises_{name}") for name in ("seed", "at", "answers", "tries"))
    start = st.session_state.get(KEPT) or Progress(secrets.randbelow(LAST_SEED) + 1)
    found = parsed(start, *said)
    keep(found)
    return found


def keep(now: Progress) -> None:
    """Put it into the link, and into the session for a visitor who comes back from another page."""
    st.session_state[KEPT] = now
    for name, value in now.link.items():
        note_text(name, value, "", _at_written if name == "exercises_at" else str)
    if not register().drawing:  # a button was pressed: the run that follows begins with what the link says
        write_link()
