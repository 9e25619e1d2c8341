"""A training run that is watched while it goes on: it advances step by step and can be left at any of them."""

import time
from collections.abc import Iterator
from threading import Lock
from typing import Generic, TypeVar

from attention_core.progress import undisturbed
from attention_ui.gate import turn

ASLEEP = 5.0  # seconds without a slice after which nobody was looking

S = TypeVar("S")  # what a step tells


class TrainingRun(Generic[S]):
    """A run of one visitor; time counts only while it trains.

    Two runs of one session's script may overlap, so only one at a time may advance it.
    """

    def __init__(self, remaining: Iterator[S], total: int, running: bool = True) -> None:
        """The run makes the remaining steps, at most `total` of them."""
        self.total, self.running = total, running
        self.steps: list[S] = []
        self.seconds = 0.0
        self.complete = False
        self.until = total  # the step at which it stops by itself
        self._remaining, self._lock, self._seen = remaining, Lock(), time.monotonic()

    def advance(self, seconds: float) -> None:
        """Wait for a turn, and train for so long, one step at least, or to the end; less if it is stopped meanwhile."""
        running = self.running
        with turn(), self._lock:
            begun = time.monotonic()
            while self.running == running and self._make_step() and time.monotonic() <= begun + seconds:
                pass
            self._seen = time.monotonic()
            self.seconds += self._seen - begun

    def _make_step(self) -> bool:
        """Make the next step, and say whether there is more to do."""
        with undisturbed():  # an iterator that is left by an exception has no more steps
            step = next(self._remaining, None)
        if step is not None:
            self.steps.append(step)
        if step is None or self.step >= self.total:
            self.complete, self.running = True, False
        elif self.step >= self.until:
            self.running = False
        return not self.complete and self.step < self.until

    def stop(self) -> None:
        """Stay at the step that is being made, and wait for its end: what is drawn next must not move on."""
        self.running = False
        with self._lock:
            pass

    def go_on(self) -> None:
        """Go on with a stopped run, to its end if it stopped where it should."""
        if self.step >= self.until:
            self.until = self.total
        self.running, self._seen = not self.complete, time.monotonic()

    def rest_if_left(self) -> None:
        """Stop a run that nobody has looked at for a while: it must not go on by itself on their return."""
        if time.monotonic() > self._seen + ASLEEP:
            self.stop()

    @property
    def step(self) -> int:
        """Steps made so far."""
        return len(self.steps)
