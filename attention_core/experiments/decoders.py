"""The trained decoders that experiments ask: both reverse digits."""

from collections.abc import Mapping

from torch import Tensor

from attention_core.sequences.checkpoint import filled
from attention_core.sequences.seq2seq import Seq2Seq, Seq2SeqConfig
from attention_core.sequences.tasks import Task


def decoder(task: Task, parameters: Mapping[str, Tensor], attention: bool = True) -> Seq2Seq:
    """The model with these trained parameters; without attention it gets one vector for the whole text."""
    return filled(Seq2Seq(Seq2SeqConfig(len(task.source), len(task.target), attention=attention)), parameters)
