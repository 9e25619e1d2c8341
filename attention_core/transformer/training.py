"""How to train a Transformer; `sequences.training` trains it, as it trains every sequence model."""

from dataclasses import dataclass

from attention_core.checks import check_whole
from attention_core.sequences.tasks import Task
from attention_core.sequences.training import Predicts, Schedule
from attention_core.sequences.vocabulary import MARKS
from attention_core.transformer import plain_transformer
from attention_core.transformer.model import Transformer, TransformerConfig


@dataclass(frozen=True, kw_only=True)
class TransformerTrainingConfig(Schedule[Transformer]):
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

    def trainee(self, task: Task) -> Predicts:
        """The plain Transformer."""
        shape = (self.width, self.heads, self.layers, self.hidden, self.norm_first, self.positions)
        return plain_transformer.Transformer(len(task.source), len(task.target), *shape, self.seed)
