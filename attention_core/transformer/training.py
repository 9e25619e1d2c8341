"""Train a Transformer as the sequence models are trained: an iterator that can be left, copied and taken up again."""

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor

from attention_core.checks import check_whole
from attention_core.sequences.schedule import Schedule
from attention_core.sequences.tasks import Task
from attention_core.sequences.training import SeqTrainingConfig, Training, TrainingState
from attention_core.sequences.vocabulary import MARKS
from attention_core.transformer.decoding import exact_match
from attention_core.transformer.model import Transformed, Transformer, TransformerConfig


@dataclass(frozen=True, kw_only=True)
class TransformerTrainingConfig(Schedule):
    """How to train; the defaults learn to reverse 3 to 6 digits without an error."""

    steps: int = 500
    width: int = 32
    heads: int = 2
    layers: int = 1  # of the encoder, and as many of the decoder
    hidden: int = 64  # width inside the feed-forward parts
    norm_first: bool = False  # pre-norm; or post-norm, as in the paper
    positions: bool = True  # whether a symbol's place is told

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("layers", self.layers, 1, 12)
        self._shape(len(MARKS) + 1, len(MARKS) + 1)  # says what is wrong with width, heads or hidden

    def _shape(self, source_symbols: int, target_symbols: int) -> TransformerConfig:
        shape = (self.width, self.heads, self.layers, self.layers, self.hidden, self.norm_first, self.positions)
        return TransformerConfig(source_symbols, target_symbols, *shape)

    def model(self, task: Task) -> Transformer:
        """A fresh model for this task, its parameters drawn from the seed."""
        return Transformer(self._shape(len(task.source), len(task.target)), self.seed)


class TransformerTraining(Training):
    """The run itself: `next` makes one step, `model` is the model so far, `state` is a copy to go on from later."""

    model: Transformer  # type: ignore[assignment]

    def __init__(self, task: Task, config: TransformerTrainingConfig, state: TrainingState | None = None) -> None:
        # The loop asks the settings for nothing but what both kinds have: a model and how to train it.
        super().__init__(task, cast(SeqTrainingConfig, config), state)

    def _exact(self) -> float:
        return exact_match(self.model, self.task, self._unseen)

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
