"""Shuffle the words of a sentence: does the output of each word change?"""

import torch

from attention_core.experiments.finding import Finding
from attention_core.pooling import Pooled, attend
from attention_core.scores import scaled_dot
from attention_core.transformer.positions import encoding

WORDS, WIDTH = 6, 16


def order(seed: int) -> torch.Tensor:
    """Another order of the words: never the one they have."""
    drawn = torch.randperm(WORDS, generator=torch.Generator().manual_seed(seed))
    return drawn if (drawn != torch.arange(WORDS)).any() else drawn.flip(0)


def experiment(seed: int) -> Finding:
    """What each word reads before and after the shuffle, without positions and with them."""
    shuffled, generator = order(seed), torch.Generator().manual_seed(seed)
    words = torch.randn(WORDS, WIDTH, generator=generator, dtype=torch.float64)
    maps = torch.randn(3, WIDTH, WIDTH, generator=generator, dtype=torch.float64) / WIDTH**0.5

    def read(rows: torch.Tensor) -> Pooled:
        queries, keys, values = rows @ maps  # each (words, width)
        return attend(scaled_dot(queries, keys), values)

    places = encoding(WORDS, WIDTH)
    # Every word reads something at its old place, and something at its new one.
    plain = read(words[shuffled]).output - read(words).output[shuffled]
    placed = read(words[shuffled] + places).output - read(words + places).output[shuffled]
    changes = torch.stack([plain, placed]).abs().amax(-1)  # (2, words)
    noticed = bool(changes[0].max() > 1e-9), bool(changes[1].max() > 1e-9)
    answers = {(True, True): "both", (False, True): "positions", (True, False): "plain", (False, False): "neither"}
    numbers = {
        "largest change without positions": changes[0].max().item(),
        "largest change with positions": changes[1].max().item(),
    }
    drawn = {"changes": changes, "order": shuffled, "weights": read(words).weights}
    return Finding(answers[noticed], numbers, drawn)
