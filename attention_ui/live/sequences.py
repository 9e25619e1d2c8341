"""A visitor's own training of a sequence model: what to train, the run, and what was checked on the way."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import streamlit as st
from torch import Tensor

from attention_core.sequences.tasks import TASKS, Task
from attention_core.sequences.training import Progress, Schedule, train_steps
from attention_ui.gate import turn
from attention_ui.link.choice import TRAINED, Choice, kept, note
from attention_ui.live.run import TrainingRun

C = TypeVar("C", bound=Schedule[Any])


@dataclass(frozen=True)
class Plan(Generic[C]):
    """What to train; equal plans give equal runs, to the last digit."""

    task_name: str
    config: C

    @property
    def task(self) -> Task:
        """The task of that name."""
        return TASKS[self.task_name]


@dataclass(frozen=True)
class Made(Generic[C]):
    """A run as a link holds it: what was trained, and how many steps of it were made."""

    plan: Plan[C]
    steps: int


class Check(NamedTuple):
    """How the model does on unseen texts, and where it looks in the task's example."""

    step: int
    loss: float  # of the batch of this step; NaN before the first
    exact: float  # share of unseen texts that come out right
    weights: Tensor  # (..., T, S)


class SequenceRun(TrainingRun[Progress], Generic[C]):
    """The training of a sequence model, checked before its first step and every few steps."""

    def __init__(self, plan: Plan[C], running: bool = True) -> None:
        self.plan = plan
        self.again = False  # whether it repeats the run of a link
        self._training = train_steps(plan.task, plan.config)
        self._before = Check(0, math.nan, *self._training.check())
        self._copy: tuple[int, Any] | None = None
        self._checked: Check | None = None  # the last step, where no check was due
        super().__init__(self._training, plan.config.steps, running)

    @property
    def losses(self) -> list[float]:
        """The loss of every step's batch."""
        return [progress.loss for progress in self.steps]

    @property
    def checks(self) -> list[Check]:
        """The checks so far, the untrained model's first; of a run that rests, its last step is checked too."""
        made = [
            self._before,
            *(Check(*step) for step in self.steps if step.exact is not None),  # type: ignore[arg-type]
        ]
        return made if self.running or made[-1].step == self.step else [*made, self._last()]

    def _last(self) -> Check:
        """The check of the last step."""
        with turn(), self._lock:
            if self._checked is None or self._checked.step != self.step:
                self._checked = Check(self.step, self.losses[-1], *self._training.check())
            return self._checked

    def model(self) -> Any:
        """A copy of the model as it is now, the same one until the next step."""
        with self._lock:
            if self._copy is None or self._copy[0] != self.step:
                self._copy = self.step, self._training.model.eval().requires_grad_(False)
            return self._copy[1]


def run_of(page: str) -> SequenceRun[Any] | None:
    """The visitor's run on this page, if there is one."""
    run: SequenceRun[Any] | None = st.session_state.get(f"{page}_run")
    return run


def begin(page: str, plan: Plan[Any]) -> None:
    """Begin a new run with its first step, which tells the loss before it."""
    with turn():
        run = st.session_state[f"{page}_run"] = SequenceRun(plan)
        run.advance(0)


def begin_again(page: str, made: Made[Any]) -> None:
    """Begin the run of a link, which ends at the same step, or take it up where it was left."""
    run = run_of(page)
    if run is None or run.plan != made.plan:
        begin(page, made.plan)
        run = run_of(page)
    assert run
    run.again, run.until = True, made.steps
    run.running = run.step < made.steps


def linked_run(
    page: str, read: Callable[[str], Made[C] | None], write: Callable[[Made[C] | None], str]
) -> Made[C] | None:
    """The run of the link, where the visitor has not made it yet; what the visitor has made goes into the link.

    A link starts nothing: whoever opens it presses a button.
    """
    choice = Choice[Made[C] | None](f"{page}{TRAINED}", None, read, write)
    asked, run = kept(choice), run_of(page)
    if asked and (run is None or (run.again and run.step < asked.steps)):
        return note(choice, asked)
    if run and run.step:
        st.session_state[choice.key] = Made(run.plan, run.until if run.running else run.step)
    note(choice, st.session_state[choice.key])
    return None


def rest(page: str) -> None:
    """Stop the visitor's run, if there is one, since nobody watches it."""
    if run := run_of(page):
        run.stop()
