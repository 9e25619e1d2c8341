"""Let a trained model write: the likeliest symbols for many texts at once, or one text with all its numbers."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from attention_core.checks import InputError
from attention_core.sequences.seq2seq import Decoded, Look, Seq2Seq
from attention_core.sequences.tasks import LONGEST, Task, check_text
from attention_core.sequences.vocabulary import BEGIN, END, PADDING, padded

MOST_WRITTEN = LONGEST + 2  # symbols after which a model that does not end is stopped


class Writes(Protocol):
    """A model that can write, of any kind."""

    def writer(self, sources: Tensor, lengths: Tensor) -> Callable[[Tensor], Tensor]:
        """A function from the symbols so far (B, t), "begin" first, to the logits of the next one (B, symbols)."""


class Written(NamedTuple):
    """What a model wrote for a batch of texts, each up to its end symbol."""

    symbols: Tensor  # (B, T) int64, with the end symbol, then padding
    lengths: Tensor  # (B,) with the end symbol
    weights: Tensor  # (B, T, S) the alignment: rows sum to 1, and are 0 after the end and on padding
    decoded: Decoded  # the rest, as it came; rows after the end mean nothing


class Trace(NamedTuple):
    """How one text was written: a row for each written symbol, a column for each symbol read."""

    text: str  # S characters
    output: str
    symbols: tuple[str, ...]  # T of them: the characters of the output, and "end"
    scores: Tensor  # (T, S)
    weights: Tensor  # (T, S)
    contexts: Tensor  # (T, C)
    probabilities: Tensor  # (T, symbols of the task's target vocabulary)


def likeliest(logits: Tensor) -> Tensor:
    """The likeliest symbol of each row (B,); never padding or begin, which are never right."""
    return logits[:, END:].argmax(-1) + END


def write_symbols(
    next_logits: Callable[[Tensor], Tensor], rows: int, choose: Callable[[Tensor], Tensor] = likeliest,
    most: int = MOST_WRITTEN,
) -> Tensor:  # fmt: skip
    """Choose symbol after symbol until every row has ended: (rows, T), with the end symbol, then padding."""
    shown = torch.full((rows, 1), BEGIN)  # (rows, t)
    ended = torch.zeros(rows, dtype=torch.bool)
    while not ended.all() and shown.shape[1] <= most:
        symbols = choose(next_logits(shown)).masked_fill(ended, PADDING)  # (rows,)
        ended = ended | (symbols == END)
        shown = torch.cat([shown, symbols[:, None]], 1)
    return shown[:, 1:]


@torch.no_grad()
def greedy(model: Seq2Seq, sources: Tensor, lengths: Tensor | None = None, most: int = MOST_WRITTEN) -> Written:
    """Write the likeliest symbol after those before, until every row of sources (B, S) has ended."""
    lengths = (sources != PADDING).sum(1) if lengths is None else lengths
    steps: list[tuple[Look, Tensor]] = []
    symbols = write_symbols(model.writer(sources, lengths, steps), len(sources), most=most)
    looks, states = zip(*steps, strict=True)
    return _written(symbols, model.decoder.collected(looks, states))


def _written(symbols: Tensor, decoded: Decoded) -> Written:
    beyond = ((symbols == END).cumsum(1) - (symbols == END).long()).bool()  # (B, T) true after the end
    return Written(symbols, (~beyond).sum(1), decoded.weights.masked_fill(beyond[..., None], 0.0), decoded)


def trace(model: Seq2Seq, task: Task, text: str) -> Trace:
    """Write the answer to one text, and keep the scores, weights, context and output distribution of every symbol."""
    text = check_text(task, text)
    written = greedy(model, torch.tensor([task.source.encode(text)]))
    decoded, symbols = written.decoded, written.symbols[0]
    return Trace(
        text,
        task.target.decode(symbols),
        tuple(task.target.symbols[symbol] for symbol in symbols.tolist()),
        decoded.scores[0],
        decoded.weights[0],
        decoded.contexts[0],
        decoded.logits[0].softmax(-1),
    )


def outputs(model: Writes, task: Task, texts: list[str]) -> list[str]:
    """What the model writes for each text."""
    return answers(model, task, [check_text(task, text) for text in texts])


@torch.no_grad()
def answers(model: Writes, task: Task, texts: list[str]) -> list[str]:
    """What the model writes for each text that it can read."""
    sources, lengths = padded([task.source.encode(text) for text in texts])
    return [task.target.decode(row) for row in write_symbols(model.writer(sources, lengths), len(texts)).tolist()]


def exact_match(model: Writes, task: Task, texts: list[str]) -> float:
    """The share of texts for which the whole output is right."""
    if not texts:
        raise InputError("texts must hold at least one text; there are none.")
    texts = [check_text(task, text) for text in texts]
    return sum(map(str.__eq__, answers(model, task, texts), map(task.solve, texts))) / len(texts)
