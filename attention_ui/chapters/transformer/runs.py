"""A visitor's own training: it is begun by a click, can be left at any step, and gives a model at every one."""

import time
from dataclasses import dataclass, field
from typing import NamedTuple

import streamlit as st
from torch import Tensor

from attention_core.sequences.tasks import strings
from attention_core.transformer.decoding import exact_match
from attention_core.transformer.model import Transformer
from attention_core.transformer.training import TransformerTraining, TransformerTrainingConfig
from attention_ui.chapters.transformer.models import REVERSE

AT_FIRST = 20  # unseen strings for the first look: what has learned nothing writes at length, and all wrong


class Check(NamedTuple):
    """A look at the model on the way."""

    step: int
    exact: float  # share of unseen strings that come out right
    cross: Tensor  # (N, H, T, S) of the example


@dataclass(eq=False)
class Run:
    """A training run."""

    config: TransformerTrainingConfig
    losses: list[float] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    running: bool = True

    def __post_init__(self) -> None:
        self._training = TransformerTraining(REVERSE, self.config)
        unseen = strings(REVERSE, AT_FIRST, self.config.seed, "unseen", self.config.lengths)
        self._check(0, exact_match(self._training.model, REVERSE, unseen))
        self._copy: tuple[int, Transformer] | None = None

    def advance(self, seconds: float) -> None:
        """Train for so long, at least one step, or to the end."""
        until = time.monotonic() + seconds
        for progress in self._training:
            self.losses.append(progress.loss)
            if progress.exact is not None:
                self._check(progress.step, progress.exact)
            if time.monotonic() > until:
                break
        if self.complete:
            self.running = False

    def _check(self, step: int, exact: float) -> None:
        self.checks.append(Check(step, exact, self._training.passed().cross[0]))

    @property
    def step(self) -> int:
        """How many steps are made."""
        return len(self.losses)

    @property
    def complete(self) -> bool:
        """Whether all steps are made."""
        return self.step == self.config.steps

    def model(self) -> Transformer:
        """A copy of the model as it is now, the same one until the next step."""
        if self._copy is None or self._copy[0] != self.step:
            model = self.config.model(REVERSE)
            model.load_state_dict(self._training.model.state_dict())
            self._copy = self.step, model.eval().requires_grad_(False)
        return self._copy[1]


def run_of(page: str) -> Run | None:
    """The visitor's run, if there is one."""
    run: Run | None = st.session_state.get(f"{page}_run")
    return run


def begin(page: str, config: TransformerTrainingConfig) -> None:
    """Begin a new run with its first step, which tells the loss before it."""
    run = st.session_state[f"{page}_run"] = Run(config)
    run.advance(0)


def pause(page: str) -> None:
    """Stop the run where it is."""
    if run := run_of(page):
        run.running = False


def go_on(page: str) -> None:
    """Take the run up again."""
    if run := run_of(page):
        run.running = True
