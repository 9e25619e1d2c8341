"""Run an experiment, and tell whether a prediction held."""

import inspect
import sys
from dataclasses import dataclass

from attention_core.experiments import EXPERIMENTS, MODELS, Finding
from attention_core.sequences.checkpoint import parameters_in
from attention_ui.chapters.exercises.exercise import Exercise
from attention_ui.export.writing import Call, FromFile
from attention_ui.numbers import short
from attention_ui.shared import shared


def call(name: str, seed: int) -> Call:
    """The experiment on this seed, with the trained models it asks."""
    models = {argument: FromFile(parameters_in, model) for argument, model in MODELS.get(name, {}).items()}
    return Call(EXPERIMENTS[name], seed=seed, **models)


@shared
def found(name: str, seed: int) -> Finding:
    """What this experiment finds on this seed."""
    finding: Finding = call(name, seed).run()
    return finding


def about(name: str, seed: int) -> str:
    """What an experiment asks, in one line that needs no other, and its seed."""
    return f"{inspect.getdoc(sys.modules[EXPERIMENTS[name].__module__]) or name} Seed {seed}."


@dataclass(frozen=True)
class Judged:
    """A prediction, and what became of it."""

    exercise: Exercise
    code: str  # the answer that was committed to
    seed: int
    finding: Finding

    @property
    def held(self) -> bool:
        """Whether the numbers speak for the prediction."""
        return self.exercise.answer.holds(self.code, self.finding)

    @property
    def said(self) -> str:
        """The prediction in words."""
        return self.exercise.answer.words(self.code)

    @property
    def verdict(self) -> str:
        """The outcome in one line."""
        return "Your prediction held." if self.held else "Your prediction did not hold."

    @property
    def reason(self) -> str:
        """What was found, with a word of warning where this seed is not like the others, and why."""
        answer, found = self.exercise.answer, self.finding.answer
        start = "" if self.held else f"The experiment says: **{self.exercise.found(self.finding)}**. "
        if answer.usual and found != answer.usual:
            start = f"On this seed it is: **{self.exercise.found(self.finding)}**. "
            return f"{start}Usually it is: **{answer.words(answer.usual)}**. Try another seed."
        return start + self.exercise.why(self.finding)

    @property
    def numbers(self) -> dict[str, str]:
        """The numbers that decided, as people write them."""
        return {name: _shown(number) for name, number in self.finding.numbers.items()}


def _shown(number: float) -> str:
    """A count in full, a measurement to three digits."""
    return f"{number:,}" if isinstance(number, int) else short(number)


def judged(exercise: Exercise, code: str, seed: int) -> Judged:
    """Run the experiment on this seed and hold it against the prediction."""
    return Judged(exercise, code, seed, found(exercise.name, seed))
