"""Train a Transformer as the sequence models are trained: an iterator that can be left, copied and taken up again."""

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor

from attention_core.checks import check_number, check_whole
from attention_core.data import LAST_SEED
from attention_core.seq_training import MOST_STEPS, Progress, SeqTrainingConfig, Training, TrainingState
from attention_core.tasks import LONGEST, SHORTEST, Lengths, Task
from attention_core.transformer import Transformed, Transformer, TransformerConfig
from attention_core.transformer_decoding import exact_match
from attention_core.vocabulary import MARKS


@dataclass(frozen=True)
class TransformerTrainingConfig:
    """How to train; the defaults learn to reverse 3 to 6 digits without an error."""

    steps: int = 500
    batch: int = 64  # texts in a step, drawn anew for each
    learning_rate: float = 1e-2  # of Adam, falling in a straight line to 0
    clip: float = 1.0  # the longest gradient that is followed at full length
    width: int = 32
    heads: int = 2
    layers: int = 1  # of the encoder, and as many of the decoder
    hidden: int = 64  # width inside the feed-forward parts
    norm_first: bool = False  # pre-norm; or post-norm, as in the paper
    positions: bool = True  # whether a symbol's place is told
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
        check_whole("layers", self.layers, 1, 12)
        check_whole("the longest length", self.longest, SHORTEST, LONGEST)
        check_whole("the shortest length", self.shortest, SHORTEST, self.longest)
        check_whole("check every", self.check_every, 1, MOST_STEPS)
        check_whole("check count", self.check_count, 1, 10_000)
        check_whole("seed", self.seed, 0, LAST_SEED)
        self._shape(len(MARKS) + 1, len(MARKS) + 1)  # says what is wrong with width, heads or hidden

    def _shape(self, source_symbols: int, target_symbols: int) -> TransformerConfig:
        shape = (self.width, self.heads, self.layers, self.layers, self.hidden, self.norm_first, self.positions)
        return TransformerConfig(source_symbols, target_symbols, *shape)

    def model(self, task: Task) -> Transformer:
        """A fresh model for this task, its parameters drawn from the seed."""
        return Transformer(self._shape(len(task.source), len(task.target)), self.seed)

    @property
    def lengths(self) -> Lengths:
        """Lengths of the drawn digit strings."""
        return Lengths(self.shortest, self.longest)


class TransformerTraining(Training):
    """The run itself: `next` makes one step, `model` is the model so far, `state` is a copy to go on from later."""

    model: Transformer  # type: ignore[assignment]

    def __init__(self, task: Task, config: TransformerTrainingConfig, state: TrainingState | None = None) -> None:
        # The loop asks the settings for nothing but what both kinds have: a model and how to train it.
        super().__init__(task, cast(SeqTrainingConfig, config), state)

    def __next__(self) -> Progress:
        if self._step == self.config.steps:
            raise StopIteration
        loss = self._descend()
        self._step += 1
        if self._step % self.config.check_every and self._step != self.config.steps:
            return Progress(self._step, loss)
        return Progress(self._step, loss, exact_match(self.model, self.task, self._unseen), self._alignment())

    @torch.no_grad()
    def passed(self) -> Transformed:
        """The model so far on the task's example, its right answer before the decoder's eyes: all weights, of B = 1."""
        sources, lengths, targets, _ = self._example
        passed: Transformed = self.model(sources, lengths, targets)
        return passed

    def _alignment(self) -> Tensor:
        """The mean of the last layer's heads, (T, S); `passed` has every head."""
        return self.passed().alignment[0]


def train_transformer(
    task: Task, config: TransformerTrainingConfig | None = None, state: TrainingState | None = None
) -> TransformerTraining:
    """Iterate over Progress, one step at a time, from the beginning or from the state of an earlier run."""
    return TransformerTraining(task, config or TransformerTrainingConfig(), state)
