"""What self-attention computes: words that attend to each other, positions as rotations, what a longer text costs."""

import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad

from attention_core.transformer.cost import Counts
from attention_core.transformer.positions import frequencies, on_circles, turning

WIDTH, PLACE = 16, 8  # numbers of a token: the first 8 tell its place, the others its word
SHORT = 100.0  # the base of the positions: sentences are short, with 10,000 most pairs would hardly turn

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


def tokens(words: Sequence[str], strength: float | Tensor, seed: int) -> Tensor:
    """A row (WIDTH,) for each word, drawn from its letters, plus its position times the strength."""
    rows = torch.zeros(len(words), WIDTH, dtype=torch.float64)
    for row, word in zip(rows, words, strict=True):  # the same word has the same vector
        letters = torch.Generator().manual_seed(zlib.crc32(f"{seed} {word.lower()}".encode()))
        row[PLACE:] = torch.randn(WIDTH - PLACE, dtype=torch.float64, generator=letters)
    positions = on_circles(torch.arange(len(words))[:, None] * frequencies(PLACE, SHORT))
    return rows + strength * pad(positions, (0, WIDTH - PLACE))


def attended(words: Sequence[str], strength: float | Tensor, maps: Maps, causal: bool, seed: int) -> dict[str, Tensor]:
    """Every word attends to all words, or to none after it; strengths (F, 1, 1) give F results at once."""
    X = tokens(words, strength, seed)  # noqa: N806
    queries, keys, values = (X @ W.mT for W in maps)  # (..., words, WIDTH)
    scores = queries @ keys.mT / WIDTH**0.5  # (..., words, words)
    if causal:
        scores = scores.masked_fill(
            torch.ones(scores.shape[-2:]).triu(1).bool(), -math.inf
        )  # no word attends to a later one
    weights = scores.softmax(-1)
    return {"weights": weights, "output": weights @ values}


def rearranged(
    words: Sequence[str], order: Sequence[int], strength: float | Tensor, maps: Maps, causal: bool, seed: int
) -> dict[str, Tensor]:
    """The words in another order beside those as typed, and the largest change of any word's output."""
    typed = attended(words, strength, maps, causal, seed)
    shown = attended([words[place] for place in order], strength, maps, causal, seed)
    change = (shown["output"] - typed["output"][..., list(order), :]).abs().amax((-2, -1))
    return shown | {"typed_weights": typed["weights"], "typed_output": typed["output"], "change": change}


def rotations(positions: int, width: int, offset: int) -> dict[str, Tensor]:
    """Positions as points on circles: a step of any size is one rotation, whatever position it is taken from."""
    w, places = frequencies(width), torch.arange(positions)[:, None]
    P, there = on_circles(places * w), on_circles((places + offset) * w)  # noqa: N806
    rotated = P @ turning(offset * w).mT  # (positions, dimensions): every pair turned
    product = (offset * w).cos().sum()  # P[p] . P[p + offset], the same for every p
    gap = (rotated - there).abs().max()
    return {"P": P, "rotated": rotated, "products": P @ P.mT / (width / 2), "product": product, "gap": gap}


def costs(
    layers: Sequence[Callable[[int, int, int], Counts]], lengths: Sequence[int], length: int, width: int, kernel: int
) -> dict[str, Tensor]:
    """The multiplications of layers over the length; at one length their operations, steps and longest path."""
    multiplications = [[counts(n, width, kernel).multiplications for n in lengths] for counts in layers]
    at = [counts(length, width, kernel) for counts in layers]
    return {
        "lengths": torch.tensor(lengths),
        "multiplications": torch.tensor(multiplications),  # (layers, lengths)
        "table": torch.tensor([[each.order, each.steps, each.path] for each in at]),
    }
