"""Occlusion: change one symbol of the text, and measure how much less likely each written symbol becomes."""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import check_whole
from attention_core.sequences.decoding import Trace, outputs, trace
from attention_core.sequences.seq2seq import Decoded, Seq2Seq
from attention_core.sequences.tasks import Task

NOTICEABLE = 0.05  # drop in a probability below which nothing in a row matters


class Occlusion(NamedTuple):
    """What was written for a text, and the effect of each symbol read on each written one."""

    traced: Trace  # the text as it is: symbols, weights, probabilities
    effects: Tensor  # (T, S) the drop in the probability of the written symbol; below 0 it grew


class Agreement(NamedTuple):
    """How far attention and effect agree: correlations over all (T, S) pairs, and their peaks."""

    pearson: float  # NaN where either is constant
    spearman: float
    same_peak: float  # share of the rows below whose most attended position is the one that matters most; or NaN
    rows: int  # written symbols for which some position matters


class Swap(NamedTuple):
    """One symbol of the text replaced by another, and what the model writes then."""

    position: int
    text: str
    output: str
    symbol: str  # that is written now in the place in question
    changed: bool  # whether it is another one


def alternatives(task: Task, character: str) -> str:
    """The other characters of the same kind: a digit for a digit, a letter for a letter, a mark for a mark."""
    return "".join(c for c in task.alphabet if _kind(c) == _kind(character) and c != character.lower())


def _kind(character: str) -> str:
    return "digit" if character.isdigit() else "letter" if character.isalpha() else "mark"


def replaced(text: str, position: int, character: str) -> str:
    """The text with one character put in another's place."""
    return text[:position] + character + text[position + 1 :]


@torch.no_grad()
def chances_of_swaps(model: Seq2Seq, task: Task, traced: Trace) -> tuple[Tensor, Tensor]:
    """The chances (1 + N, T) of the written symbols, of the text and of every swap; the position (N,) of each swap."""
    changes = [(i, other) for i, read in enumerate(traced.text) for other in alternatives(task, read)]
    texts = [traced.text, *(replaced(traced.text, i, other) for i, other in changes)]
    return _probabilities(model, task, texts, _written(task, traced)), torch.tensor([i for i, _ in changes])


def effects_of(chances: Tensor, positions: Tensor) -> Tensor:
    """What a swap takes from the chance of each written symbol, (T, S): the mean over the swaps of each position.

    effect_{t,i} = p(y_t | x) - mean over the alternatives of p(y_t | x with x_i replaced), y as it was written.
    """
    drops = chances[0] - chances[1:]  # (N, T)
    counts = positions.bincount()  # (S,)
    total = torch.zeros(len(counts), drops.shape[1]).index_add_(0, positions, drops)  # (S, T)
    return (total / counts[:, None]).T


def _written(task: Task, traced: Trace) -> list[int]:
    """The written symbols as numbers, with the end if the model came to it."""
    return [task.target.symbols.index(symbol) for symbol in traced.symbols]


def _probabilities(model: Seq2Seq, task: Task, texts: list[str], symbols: list[int]) -> Tensor:
    """The probability (N, T) of each of these symbols for each of the equally long texts, those before it given."""
    sources = torch.tensor([task.source.encode(text) for text in texts])  # (N, S)
    targets = torch.tensor(symbols).expand(len(texts), -1)  # (N, T)
    decoded: Decoded = model(sources, targets)
    return decoded.logits.softmax(-1).gather(-1, targets[..., None]).squeeze(-1)


def same_peak(weights: Tensor, effects: Tensor) -> tuple[float, int]:
    """The share of rows with one peak in both (T, S), among those with a noticeable effect, and how many these are."""
    rows = effects.amax(-1) >= NOTICEABLE  # (T,)
    same = (weights.argmax(-1) == effects.argmax(-1))[rows]
    return same.double().mean().item(), int(rows.sum())


def pearson(a: Tensor, b: Tensor) -> float:
    """The correlation of two tensors, number by number: cov(a, b) / (sd(a) sd(b)); NaN where either is constant."""
    a, b = a.double().flatten(), b.double().flatten()
    if a.min() == a.max() or b.min() == b.max():
        return math.nan
    a, b = a - a.mean(), b - b.mean()
    return float(a @ b / (a.norm() * b.norm()))


def spearman(a: Tensor, b: Tensor) -> float:
    """The correlation of the ranks."""
    return pearson(ranks(a.flatten()), ranks(b.flatten()))


def ranks(values: Tensor) -> Tensor:
    """Ranks from 1 (n,); equal values share the mean of theirs."""
    _, inverse, counts = values.unique(return_inverse=True, return_counts=True)
    middle: Tensor = counts.cumsum(0) - (counts - 1) / 2  # of the ranks that a value takes up
    return middle[inverse]


def swap_most_attended(model: Seq2Seq, task: Task, text: str, row: int, least: bool = False) -> list[Swap]:
    """Replace what the model looked at most (or least) when it wrote symbol `row` by each alternative in turn."""
    traced = trace(model, task, text)
    check_whole("row", row, 0, len(traced.symbols) - 1)
    weights = traced.weights[row]  # (S,)
    position = int(weights.argmin() if least else weights.argmax())
    texts = [replaced(traced.text, position, other) for other in alternatives(task, traced.text[position])]
    written = outputs(model, task, texts)
    symbols = [_symbol(output, row) for output in written]
    changed = [symbol != traced.symbols[row] for symbol in symbols]
    return [Swap(position, *each) for each in zip(texts, written, symbols, changed, strict=True)]


def _symbol(output: str, row: int) -> str:
    return output[row] if row < len(output) else "end"
