"""Train a sequence model step by step: an iterator that can be left, copied and taken up again at any step."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from attention_core.checks import InputError, check_whole
from attention_core.data import LAST_SEED
from attention_core.sequences.decoding import exact_match
from attention_core.sequences.schedule import Schedule
from attention_core.sequences.seq2seq import Decoded, Seq2Seq, Seq2SeqConfig
from attention_core.sequences.tasks import Task, batch, encoded, strings
from attention_core.sequences.vocabulary import PADDING


@dataclass(frozen=True, kw_only=True)
class SeqTrainingConfig(Schedule):
    """How to train; the defaults learn to reverse 3 to 6 digits without an error."""

    hidden: int = 32  # width of the GRU states
    embedding: int = 8  # width of a symbol's vector; a narrow one keeps the alignment of digits clean
    bidirectional: bool = True  # whether the encoder reads from both ends
    attention: bool = True  # or one fixed context

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("hidden", self.hidden, 1, 512)
        check_whole("embedding", self.embedding, 1, 512)

    def model(self, task: Task) -> Seq2Seq:
        """A fresh model for this task, its parameters drawn from the seed."""
        shape = (self.hidden, self.embedding, self.bidirectional, self.attention)
        return Seq2Seq(Seq2SeqConfig(len(task.source), len(task.target), *shape), self.seed)


class Progress(NamedTuple):
    """One step: the loss before its update and, every few steps, how good the model is after it."""

    step: int  # from 1
    loss: float  # mean cross-entropy of a symbol, in nats
    exact: float | None = None  # share of unseen texts that come out right
    alignment: Tensor | None = None  # (T, S) weights for the task's example, its right answer before the decoder's eyes


class TrainingState(NamedTuple):
    """All that is needed to go on: plain tensors, each with one number per parameter."""

    step: int
    parameters: Tensor
    mean: Tensor  # Adam's running means of the gradient
    square: Tensor  # and of its square


class Training(Iterator[Progress]):
    """The run itself: `next` makes one step, `model` is the model so far, `state` is a copy to go on from later."""

    def __init__(self, task: Task, config: SeqTrainingConfig, state: TrainingState | None = None) -> None:
        self.task, self.config = task, config
        self.model = config.model(task)
        self._step = 0
        self._parameters, self._gradient = _flattened(self.model)
        self._mean, self._square = torch.zeros_like(self._parameters), torch.zeros_like(self._parameters)
        self._unseen = strings(task, config.check_count, config.seed, "unseen", config.lengths)
        self._example = encoded(task, [task.example])
        if state is not None:
            self._take_up(state)

    def _take_up(self, state: TrainingState) -> None:
        if state.parameters.shape != self._parameters.shape or not 0 <= state.step <= self.config.steps:
            raise InputError("The state must come from a run of the same task with the same settings.")
        self._step = state.step
        for mine, saved in zip((self._parameters, self._mean, self._square), state[1:], strict=True):
            mine.copy_(saved)

    def state(self) -> TrainingState:
        """A copy of where the run is now."""
        return TrainingState(self._step, self._parameters.clone(), self._mean.clone(), self._square.clone())

    def __next__(self) -> Progress:
        if self._step == self.config.steps:
            raise StopIteration
        loss = self._descend()
        self._step += 1
        if self._step % self.config.check_every and self._step != self.config.steps:
            return Progress(self._step, loss)
        return Progress(self._step, loss, self._exact(), self._alignment())

    def batch_seed(self) -> int:
        """The seed of the next batch: each step has its own, so a run taken up again draws what it would have drawn."""
        return (self.config.seed * 1_000_003 + self._step * 7_919 + 1) % LAST_SEED

    def _descend(self) -> float:
        drawn = batch(self.task, self.config.batch, self.batch_seed(), "training", self.config.lengths)
        logits = self.model(drawn.sources, drawn.source_lengths, drawn.targets).logits  # (B, T, symbols)
        loss = cross_entropy(logits.flatten(0, 1), drawn.targets.flatten(), ignore_index=PADDING)
        self._gradient.zero_()
        loss.backward()
        self._adam()
        return loss.item()

    @torch.no_grad()
    def _adam(self) -> None:
        """Kingma and Ba's step with the usual constants 0.9, 0.999 and 1e-8, after clipping; the rate falls to 0."""
        config, gradient, step = self.config, self._gradient, self._step + 1
        gradient.mul_((config.clip / (gradient.norm() + 1e-6)).clamp(max=1))
        self._mean.lerp_(gradient, 0.1)
        self._square.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
        rate = config.learning_rate * (1 - self._step / config.steps)
        size = (self._square / (1 - 0.999**step)).sqrt_().add_(1e-8)
        self._parameters.addcdiv_(self._mean, size, value=-rate / (1 - 0.9**step))

    def _exact(self) -> float:
        return exact_match(self.model, self.task, self._unseen)

    @torch.no_grad()
    def _alignment(self) -> Tensor:
        sources, lengths, targets, _ = self._example
        decoded: Decoded = self.model(sources, lengths, targets)
        return decoded.weights[0]


def _flattened(model: Seq2Seq) -> tuple[Tensor, Tensor]:
    """All parameters as one vector and all gradients as another; the model's own become views of them.

    One vector takes Adam nine operations in all instead of nine for each of a dozen parameters, and torch.optim,
    which takes more than a second to load, is not needed.
    """
    parameters = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    gradient, start = torch.zeros_like(parameters), 0
    for parameter in model.parameters():
        here = slice(start, start + parameter.numel())
        parameter.data, parameter.grad = parameters[here].view_as(parameter), gradient[here].view_as(parameter)
        start = here.stop
    return parameters, gradient


def train_steps(task: Task, config: SeqTrainingConfig | None = None, state: TrainingState | None = None) -> Training:
    """Iterate over Progress, one step at a time, from the beginning or from the state of an earlier run."""
    return Training(task, config or SeqTrainingConfig(), state)
