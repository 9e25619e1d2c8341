"""Train a sequence model of any kind, step by step: an iterator that can be left and gone on with."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

import torch
from torch import Tensor
from torch.nn import Parameter
from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_, parameters_to_vector, vector_to_parameters

from attention_core.checks import check_number, check_whole
from attention_core.data import LAST_SEED
from attention_core.sequences.decoding import Writes, share_right
from attention_core.sequences.seq2seq import Seq2Seq, Seq2SeqConfig
from attention_core.sequences.tasks import LONGEST, SHORTEST, Lengths, Task, drawn, encoded, strings
from attention_core.sequences.vocabulary import PADDING

MOST_STEPS = 5_000


class Answer(Protocol):
    """What a model says about a batch of texts and their right answers."""

    @property
    def logits(self) -> Tensor:
        """(B, T, symbols)."""

    @property
    def cross(self) -> Tensor:
        """The weights from what is written to what is read, (B, ..., T, S)."""


class SequenceModel(Writes, Protocol):
    """A model that can be trained: it reads sources (B, S) of these lengths (B,) and predicts the targets (B, T)."""

    def __call__(self, sources: Tensor, lengths: Tensor, targets: Tensor) -> Answer: ...

    def parameters(self) -> Iterator[Parameter]:
        """What is trained."""


M = TypeVar("M", bound=SequenceModel)


@dataclass(frozen=True, kw_only=True)
class Schedule(Generic[M]):
    """How long to train, on which texts, and how often to check; each kind of model adds its own settings."""

    steps: int = 300
    batch: int = 64  # texts in a step, drawn anew for each
    learning_rate: float = 1e-2  # of Adam, falling in a straight line to 0
    clip: float = 1.0  # the longest gradient that is followed at full length
    shortest: int = 3  # lengths of the drawn digit strings
    longest: int = 6
    check_every: int = 25  # steps between two looks at unseen texts
    check_count: int = 200  # unseen texts looked at
    seed: int = 0  # of the first parameters and of all texts

    def __post_init__(self) -> None:
        check_whole("steps", self.steps, 1, MOST_STEPS)
        check_whole("batch", self.batch, 1, 1024)
        check_number("learning rate", self.learning_rate, 0, 1)
        check_number("clip", self.clip, 1e-6, 1e6)
        check_whole("the longest length", self.longest, SHORTEST, LONGEST)
        check_whole("the shortest length", self.shortest, SHORTEST, self.longest)
        check_whole("check every", self.check_every, 1, MOST_STEPS)
        check_whole("check count", self.check_count, 1, 10_000)
        check_whole("seed", self.seed, 0, LAST_SEED)

    @property
    def lengths(self) -> Lengths:
        """Lengths of the drawn digit strings."""
        return Lengths(self.shortest, self.longest)

    def model(self, task: Task) -> M:
        """A fresh model for this task, its parameters drawn from the seed."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class SeqTrainingConfig(Schedule[Seq2Seq]):
    """How to train a Seq2Seq; the defaults learn to reverse 3 to 6 digits without an error."""

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
    weights: Tensor | None = None  # (..., T, S) for the task's example and its right answer; see `Answer.cross`


class Training(Iterator[Progress], Generic[M]):
    """The run itself: `next` makes one step, `model` is the model so far."""

    def __init__(self, task: Task, config: Schedule[M]) -> None:
        self.task, self.config = task, config
        self.model = config.model(task)
        self._step = 0
        # One vector of which the model's own parameters become views: Adam then takes 9 operations in all instead of
        # 9 for each of a dozen parameters, which is a third of a small Transformer's time.
        self._vector = parameters_to_vector(self.model.parameters()).detach()
        vector_to_parameters(self._vector, self.model.parameters())
        self._adam = torch.optim.Adam([self._vector])
        self._unseen = drawn(task.draw, task.solve, config.check_count, config.seed, config.lengths, unseen=True)
        self._example = encoded(task, [task.example])

    def __next__(self) -> Progress:
        if self._step == self.config.steps:
            raise StopIteration
        loss = self._descend()
        self._step += 1
        if self._step % self.config.check_every and self._step != self.config.steps:
            return Progress(self._step, loss)
        return Progress(self._step, loss, *self.check())

    def batch_seed(self) -> int:
        """The seed of the next batch."""
        return (self.config.seed * 1_000_003 + self._step * 7_919 + 1) % LAST_SEED

    def _descend(self) -> float:
        """One step of Adam, after clipping; the learning rate falls to 0."""
        config = self.config
        task = self.task
        texts = drawn(task.draw, task.solve, config.batch, self.batch_seed(), config.lengths, unseen=False)
        batch = encoded(self.task, texts)
        logits = self.model(batch.sources, batch.source_lengths, batch.targets).logits  # (B, T, symbols)
        loss = cross_entropy(logits.flatten(0, 1), batch.targets.flatten(), ignore_index=PADDING)
        parts = torch.autograd.grad(loss, list(self.model.parameters()))
        self._vector.grad = torch.cat([part.flatten() for part in parts])
        clip_grad_norm_([self._vector], config.clip)
        self._adam.param_groups[0]["lr"] = config.learning_rate * (1 - self._step / config.steps)
        self._adam.step()
        return loss.item()

    @torch.no_grad()
    def check(self, count: int | None = None) -> tuple[float, Tensor]:
        """The share of so many unseen texts, or of all, that come out right now; and the weights for the example."""
        weights = self.model(*self._example).cross[0]
        return share_right(self.model, self.task, self._unseen[:count]), weights


def train_steps(task: Task, config: Schedule[M]) -> Training[M]:
    """Iterate over Progress, one step at a time."""
    strings(task, config.check_count, config.seed, "unseen", config.lengths)  # says so where there are too few
    return Training(task, config)
