"""A training run that is looked at while it goes on: it advances in slices and can be left at any step."""

import time
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.sequences.decoding import exact_match
from attention_core.sequences.seq2seq import Decoded
from attention_core.sequences.tasks import TASKS, Task, encoded, strings
from attention_core.sequences.training import Progress, SeqTrainingConfig, Training, train_steps

ASLEEP = 5.0  # seconds without a slice after which nobody was looking


@dataclass(frozen=True)
class Plan:
    """What to train; equal plans give equal runs, to the last digit."""

    task_name: str
    config: SeqTrainingConfig

    @property
    def task(self) -> Task:
        """The task of that name."""
        return TASKS[self.task_name]


class Check(NamedTuple):
    """One look at the model: how it does on unseen texts, and where it looks in the fixed example."""

    step: int
    loss: float  # of the batch of this step; NaN before the first
    exact: float
    alignment: Tensor  # (T, S)


@dataclass(eq=False)
class Run:
    """A run of one visitor; time counts only while it trains."""

    plan: Plan
    running: bool = True
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)  # one per step
    checks: list[Check] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._training: Training = train_steps(self.plan.task, self.plan.config)
        self.checks.append(before(self._training))
        self._seen = time.monotonic()

    def advance(self, seconds: float) -> None:
        """Train for so long, one step at least, or to the end."""
        begun = time.monotonic()
        for progress in self._training:
            self._take(progress)
            if time.monotonic() > begun + seconds:
                break
        self._seen = time.monotonic()
        self.seconds += self._seen - begun
        if self.complete:
            self.running = False

    def _take(self, progress: Progress) -> None:
        self.losses.append(progress.loss)
        if progress.exact is not None and progress.alignment is not None:
            self.checks.append(Check(progress.step, progress.loss, progress.exact, progress.alignment))

    def stop(self) -> None:
        """Stay at this step."""
        self.running = False

    def go_on(self) -> None:
        """Take it up again."""
        self.running, self._seen = not self.complete, time.monotonic()

    def rest_if_left(self) -> None:
        """Stop a run that nobody has looked at for a while: it must not go on by itself on their return."""
        if time.monotonic() > self._seen + ASLEEP:
            self.stop()

    @property
    def step(self) -> int:
        """Steps made so far."""
        return len(self.losses)

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to do."""
        return self.step == self.plan.config.steps


@torch.no_grad()
def before(training: Training) -> Check:
    """The look at the untrained model."""
    task, config = training.task, training.config
    sources, lengths, targets, _ = encoded(task, [task.example])
    decoded: Decoded = training.model(sources, lengths, targets)
    unseen = strings(task, config.check_count, config.seed, "unseen", config.lengths)
    return Check(0, torch.nan, exact_match(training.model, task, unseen), decoded.weights[0])
