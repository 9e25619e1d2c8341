"""Let a trained model write: greedily for many texts at once, or symbol by symbol for one text with all its numbers."""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import InputError
from attention_core.sequences.seq2seq import Decoded, Look, Seq2Seq
from attention_core.sequences.tasks import LONGEST, Lengths, Task, share_right, strings
from attention_core.sequences.vocabulary import BEGIN, END, PADDING, padded

MOST_WRITTEN = LONGEST + 2  # symbols after which a model that does not end is stopped


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


@torch.no_grad()
def greedy(model: Seq2Seq, sources: Tensor, lengths: Tensor | None = None, most: int = MOST_WRITTEN) -> Written:
    """Write the likeliest symbol after those before, until every row of sources (B, S) has ended."""
    lengths = (sources != PADDING).sum(1) if lengths is None else lengths
    memory, state = model.remember(sources, lengths)
    symbols = torch.full((len(sources),), BEGIN)
    ended = torch.zeros(len(sources), dtype=torch.bool)
    looks: list[Look] = []
    states: list[Tensor] = []
    rows: list[Tensor] = []
    while len(rows) < most and not ended.all():
        look, state = model.decoder.step(model.decoder.embedding(symbols), state, memory)
        # From the end symbol on: padding and begin are never right, so nobody need see them from a young model.
        symbols = model.decoder.logits(state, look.context)[:, END:].argmax(-1) + END  # (B,)
        symbols = symbols.masked_fill(ended, PADDING)
        ended = ended | (symbols == END)
        looks.append(look)
        states.append(state)
        rows.append(symbols)
    return _written(torch.stack(rows, 1), model.decoder.collected(looks, states))


def _written(symbols: Tensor, decoded: Decoded) -> Written:
    beyond = ((symbols == END).cumsum(1) - (symbols == END).long()).bool()  # (B, T) true after the end
    return Written(symbols, (~beyond).sum(1), decoded.weights.masked_fill(beyond[..., None], 0.0), decoded)


def trace(model: Seq2Seq, task: Task, text: str) -> Trace:
    """Write the answer to one text, and keep the scores, weights, context and output distribution of every symbol."""
    text = task.check(text)
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


def outputs(model: Seq2Seq, task: Task, texts: list[str]) -> list[str]:
    """What the model writes for each text."""
    sources, lengths = padded([task.source.encode(task.check(text)) for text in texts])
    return [task.target.decode(row) for row in greedy(model, sources, lengths).symbols.tolist()]


def exact_match(model: Seq2Seq, task: Task, texts: list[str]) -> float:
    """The share of texts for which the whole output is right."""
    return share_right(task, texts, lambda given: outputs(model, task, given))


def exact_match_by_length(
    model: Seq2Seq, task: Task, lengths: list[int], count: int = 100, seed: int = 0
) -> list[float]:
    """The share of right outputs on unseen texts of each length."""
    if not task.has_lengths:
        raise InputError(f"{task.label}: the length comes with the form of the text and cannot be chosen.")
    return [exact_match(model, task, strings(task, count, seed, "unseen", Lengths(n, n))) for n in lengths]
