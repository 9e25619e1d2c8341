"""Let a Transformer write: symbol by symbol, the likeliest or a drawn one, with the weights of every head.

Each symbol takes a new pass over all that is written. Since no row sees a later one, the last pass repeats the rows of
every pass before it: its row t is what the model saw when it wrote symbol t.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Generator, Tensor

from attention_core.checks import check_number, check_whole
from attention_core.data import LAST_SEED
from attention_core.sequences.decoding import MOST_WRITTEN, write_symbols
from attention_core.sequences.tasks import Task, check_text
from attention_core.sequences.vocabulary import BEGIN, END, PADDING
from attention_core.transformer.model import Transformed, Transformer
from attention_core.transformer.recorder import NO_RECORDER, Recorder

COLDEST, HOTTEST = 0.01, 100.0


@dataclass(frozen=True)
class Choice:
    """How the next symbol is chosen from p = softmax(logits / temperature)."""

    temperature: float = 1.0  # below 1 the likely become likelier, above 1 all become more alike
    seed: int | None = None  # draws with this seed; None takes the likeliest, at any temperature

    def __post_init__(self) -> None:
        check_number("temperature", self.temperature, COLDEST, HOTTEST)
        if self.seed is not None:
            check_whole("seed", self.seed, 0, LAST_SEED)

    def probabilities(self, logits: Tensor) -> Tensor:
        """p of the same shape (..., symbols); padding and begin are never right, so they get 0."""
        writable = logits[..., END:] / self.temperature
        return torch.nn.functional.pad(writable.softmax(-1), (END, 0))

    def symbols(self, probabilities: Tensor, generator: Generator) -> Tensor:
        """One symbol for each row of p (B, symbols)."""
        if self.seed is None:
            return probabilities.argmax(-1)
        return torch.multinomial(probabilities, 1, generator=generator).squeeze(-1)


LIKELIEST = Choice()


class Written(NamedTuple):
    """What a Transformer wrote for a batch of texts, each up to its end symbol; rows after the end mean nothing."""

    symbols: Tensor  # (B, T) int64, with the end symbol, then padding
    lengths: Tensor  # (B,) with the end symbol
    probabilities: Tensor  # (B, T, symbols) that each symbol was chosen from
    passed: Transformed  # logits and the weights of every layer and head, a row for each written symbol


class Text(NamedTuple):
    """How one text was written: a row for each written symbol, a column for each symbol read or written before."""

    text: str  # S characters
    output: str
    symbols: tuple[str, ...]  # T of them: the characters of the output, and "end"
    before: tuple[str, ...]  # T of them: what the decoder was shown, "begin" and the symbols but the last
    probabilities: Tensor  # (T, symbols of the task's target vocabulary)
    encoder: Tensor  # (N, H, S, S)
    decoder: Tensor  # (N, H, T, T)
    cross: Tensor  # (N, H, T, S)


@torch.no_grad()
def write(
    model: Transformer, sources: Tensor, lengths: Tensor | None = None, choice: Choice = LIKELIEST,
    most: int = MOST_WRITTEN, recorder: Recorder = NO_RECORDER,
) -> Written:  # fmt: skip
    """Choose symbol after symbol until every row of sources (B, S) has ended."""
    lengths = (sources != PADDING).sum(1) if lengths is None else lengths
    generator, passes = Generator().manual_seed(choice.seed or 0), list[Transformed]()
    symbols = write_symbols(
        model.writer(sources, lengths, passes, recorder), len(sources),
        lambda logits: choice.symbols(choice.probabilities(logits), generator), most,
    )  # fmt: skip
    passed = passes[-1]
    return Written(symbols, (symbols != PADDING).sum(1), choice.probabilities(passed.logits), passed)


def write_text(
    model: Transformer, task: Task, text: str, choice: Choice = LIKELIEST, recorder: Recorder = NO_RECORDER
) -> Text:
    """Write the answer to one text, and keep the distribution and all weights of every symbol."""
    text = check_text(task, text)
    written = write(model, torch.tensor([task.source.encode(text)]), None, choice, recorder=recorder)
    symbols = tuple(task.target.symbols[symbol] for symbol in written.symbols[0].tolist())
    output = task.target.decode(written.symbols[0])
    weights = (weight[0] for weight in written.passed[1:])
    return Text(text, output, symbols, (task.target.symbols[BEGIN], *symbols[:-1]), written.probabilities[0], *weights)
