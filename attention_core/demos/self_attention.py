"""What self-attention computes: words that attend to each other, positions as rotations, what a longer text costs."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

from attention_core.transformer.positions import frequencies, on_circles, turning

WIDTH, PLACE, SHORT = 16, 8, 100.0  # numbers of a token, those that tell its place, and the base of short positions

Maps = tuple[Tensor, Tensor, Tensor]  # W_q, W_k and W_v, (WIDTH, WIDTH) each


def drawn(seed: int) -> Maps:
    """W_q, W_k and W_v at random, as in a layer before training."""
    generator = torch.Generator().manual_seed(seed)
    W_q, W_k, W_v = torch.randn(3, WIDTH, WIDTH, dtype=torch.float64, generator=generator) / WIDTH**0.5  # noqa: N806
    return 2 * W_q, W_k, W_v


def same_word() -> Maps:
    """W_q, W_k and W_v that change nothing: a word attends to those whose vectors are like its own."""
    same = torch.eye(WIDTH, dtype=torch.float64)
    return 2 * same, same, same


def word_before() -> Maps:
    """W_q turns every position back by one and leaves the words out: each attends to the word before it."""
    same = torch.eye(WIDTH, dtype=torch.float64)
    back = 48 * turning(-frequencies(PLACE, SHORT))
    return pad(back, (0, WIDTH - PLACE, 0, WIDTH - PLACE)), same, same


@dataclass(frozen=True)
class Projection:
    """Matrices that decide what a word attends to."""

    label: str
    note: str
    maps: Callable[..., Maps]  # a function of a module, so that scripts can show its source
    is_drawn: bool = False  # from a seed


PROJECTIONS: dict[str, Projection] = {
    "drawn": Projection(
        "Random", "$W_q$, $W_k$ and $W_v$ are drawn at random, as in a layer before training.", drawn, True
    ),
    "same": Projection(
        "Same word",
        "$W_q$ is twice the identity, $W_k$ and $W_v$ are the identity: a word attends to words whose vectors are like "
        "its own.",
        same_word,
    ),
    "before": Projection(
        "Word before",
        "$W_q$ turns every position back by one and leaves the words out: each word attends to the word before it, as "
        "soon as positions count.",
        word_before,
    ),
}


Mask = Callable[[Tensor], Tensor]  # scores (..., words, words) -> the same, -inf where a word may not look


def every_word(scores: Tensor) -> Tensor:
    """The scores as they are: every word attends to all words."""
    return scores


def no_later_word(scores: Tensor) -> Tensor:
    """-inf where the key is later than the query: no word attends to a later one."""
    return scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -torch.inf)


def tokens(words: Sequence[str], strength: float | Tensor, seed: int) -> Tensor:
    """A row of 16 numbers for each word: 8 tell its place, times the strength, and 8 are drawn from its letters."""
    rows = torch.zeros(len(words), WIDTH, dtype=torch.float64)
    for row, word in zip(rows, words, strict=True):  # the same word has the same vector
        letters = torch.Generator().manual_seed(zlib.crc32(f"{seed} {word.lower()}".encode()))
        row[PLACE:] = torch.randn(WIDTH - PLACE, dtype=torch.float64, generator=letters)
    angles = torch.arange(len(words))[:, None] * frequencies(PLACE, SHORT)
    return rows + strength * pad(on_circles(angles), (0, WIDTH - PLACE))


def attended(words: Sequence[str], strength: float | Tensor, maps: Maps, mask: Mask, seed: int) -> dict[str, Tensor]:
    """Self-attention: every word attends to all words that the mask allows.

    Strengths (F, 1, 1) give F results at once.
    """
    X = tokens(words, strength, seed)  # noqa: N806
    queries, keys, values = (X @ W.mT for W in maps)  # (..., words, WIDTH)
    scores = queries @ keys.mT / WIDTH**0.5  # (..., words, words)
    weights = mask(scores).softmax(-1)
    return {"weights": weights, "output": weights @ values}


def rearranged(
    words: Sequence[str], order: Sequence[int], strength: float | Tensor, maps: Maps, mask: Mask, seed: int
) -> dict[str, Tensor]:
    """The words in another order beside those as typed, and the largest change of any word's output."""
    typed = attended(words, strength, maps, mask, seed)
    shown = attended([words[place] for place in order], strength, maps, mask, seed)
    change = (shown["output"] - typed["output"][..., list(order), :]).abs().amax((-2, -1))
    shown |= {"typed_weights": typed["weights"], "typed_output": typed["output"], "change": change}
    return shown


def rotations(positions: int, width: int, offset: int) -> dict[str, Tensor]:
    """Positions as points on circles: a step of any size is one rotation, whatever position it is taken from."""
    w = frequencies(width)  # how far each pair turns in a step
    whole = on_circles(torch.arange(positions + offset)[:, None] * w)
    P, there = whole[:positions], whole[offset:]  # noqa: N806
    R = turning(offset * w)  # noqa: N806
    rotated = P @ R.mT  # (positions, dimensions): every pair turned
    gap, product = (rotated - there).abs().max(), (offset * w).cos().sum()  # P[p] . P[p + offset] for every p
    return {"P": P, "rotated": rotated, "products": P @ P.mT / (width / 2), "product": product, "gap": gap}


def costs(
    layers: Sequence[Callable[..., Any]], lengths: Tensor, length: int, width: int, kernel: int
) -> dict[str, Tensor]:
    """The multiplications of layers over the length; at one length their operations, steps and longest path."""
    multiplications = torch.stack([counts(lengths, width, kernel)[0] for counts in layers])  # (layers, lengths)
    table = torch.tensor([counts(length, width, kernel)[1:] for counts in layers])
    return {"lengths": lengths, "multiplications": multiplications, "table": table}
