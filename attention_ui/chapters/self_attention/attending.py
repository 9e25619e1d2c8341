"""Self-attention over a few words at every strength of their positions; pure, no Streamlit.

x = word + s P: a word's vector fills the last 8 numbers, its position the first 8, so that a projection can tell the
two apart. Q = x W_q^T, K = x W_k^T, V = x W_v^T, output = softmax(Q K^T / sqrt(16)) V.
"""

import zlib
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.masks import allowed, masked_attend
from attention_core.scoring import scaled_dot
from attention_core.transformer.positions import encoding, shift_rotation

WIDTH, PLACE = 16, 8  # numbers of a token, and those of them that tell its place
BASE = 100.0  # sentences are short: with 10,000 most pairs would hardly turn
STEPS = 101  # positions of the slider, in per cent
ROUNDING = 1e-12  # a smaller change is none

DRAWN, ALIKE, BEFORE = "drawn", "same", "before"
PROJECTIONS = {
    DRAWN: "W_q, W_k and W_v are drawn from a seed, as a layer begins.",
    ALIKE: "W_q, W_k and W_v change nothing: a word looks for what is like itself.",
    BEFORE: "W_q turns every position back by one and is blind to the words: each looks for the word before.",
}


@dataclass(frozen=True)
class Asked:
    """The words as typed, the order they stand in, and how they look at each other."""

    words: tuple[str, ...]
    order: tuple[int, ...]
    projection: str = ALIKE
    causal: bool = False
    seed: int = 0


class Attended(NamedTuple):
    """A sentence at every strength of its positions."""

    weights: Tensor  # (F, T, T)
    output: Tensor  # (F, T, WIDTH)


def strengths() -> Tensor:
    """0, 0.01, ..., 1."""
    return torch.arange(STEPS, dtype=torch.float64) / (STEPS - 1)


def word_vectors(words: tuple[str, ...], seed: int = 0) -> Tensor:
    """(T, WIDTH): drawn from the letters of the word, so the same word has the same vector, wherever it stands."""
    rows = []
    for word in words:
        generator = torch.Generator().manual_seed(zlib.crc32(f"{seed} {word.lower()}".encode()))
        rows.append(torch.randn(WIDTH - PLACE, dtype=torch.float64, generator=generator))
    return torch.cat([torch.zeros(len(words), PLACE, dtype=torch.float64), torch.stack(rows)], 1)


def positions(count: int) -> Tensor:
    """(T, WIDTH): sines and cosines in the first numbers, 0 in the others."""
    return torch.cat([encoding(count, PLACE, BASE), torch.zeros(count, WIDTH - PLACE, dtype=torch.float64)], 1)


def projections(name: str, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """W_q, W_k and W_v, (WIDTH, WIDTH) each."""
    same = torch.eye(WIDTH, dtype=torch.float64)
    if name == ALIKE:
        return 2 * same, same, same
    if name == BEFORE:
        back = torch.zeros(WIDTH, WIDTH, dtype=torch.float64)
        back[:PLACE, :PLACE] = 48 * shift_rotation(PLACE, -1, BASE)
        return back, same, same
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randn(3, WIDTH, WIDTH, dtype=torch.float64, generator=generator) / WIDTH**0.5
    return 2 * drawn[0], drawn[1], drawn[2]


def attended(asked: Asked, order: tuple[int, ...]) -> Attended:
    """The words in this order, at every strength."""
    words = tuple(asked.words[place] for place in order)
    rows = word_vectors(words, asked.seed) + strengths()[:, None, None] * positions(len(words))  # (F, T, WIDTH)
    W_q, W_k, W_v = projections(asked.projection, asked.seed)  # noqa: N806
    scores = scaled_dot(rows @ W_q.mT, rows @ W_k.mT)  # (F, T, T)
    output, weights = masked_attend(scores, rows @ W_v.mT, causal=asked.causal)
    return Attended(weights, output)


def changes(asked: Asked) -> Tensor:
    """The largest change of any word's output by the new order (F,): max |f(X[order]) - f(X)[order]|."""
    before = attended(asked, tuple(range(len(asked.words)))).output[:, list(asked.order)]
    return (attended(asked, asked.order).output - before).abs().amax((1, 2))


def hidden(asked: Asked) -> Tensor | None:
    """Cells (T, T) that a causal mask hides."""
    seen = allowed((len(asked.words),) * 2, causal=asked.causal)
    return None if seen is None else ~seen
