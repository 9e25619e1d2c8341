"""Mask a key: where does its weight go?"""

import torch

from attention_core.experiments.finding import Finding
from attention_core.masks import masked_softmax

KEYS = 6


def weights_before(seed: int) -> tuple[torch.Tensor, int]:
    """The scores of one query with six keys, and the key to mask: the one with the second largest weight."""
    generator = torch.Generator().manual_seed(seed)
    scores = torch.linspace(0, 2, KEYS, dtype=torch.float64)[torch.randperm(KEYS, generator=generator)]
    scores = scores + 0.3 * torch.rand(KEYS, generator=generator, dtype=torch.float64)
    return scores, int(scores.argsort()[-2])


def experiment(seed: int) -> Finding:
    """Compare the weights behind the mask with four guesses at where the masked weight went."""
    scores, hidden = weights_before(seed)
    before = scores.softmax(-1)
    seen = torch.arange(KEYS) != hidden
    after = masked_softmax(scores[None], mask=seen[None])[0]
    gone, left = before[hidden], before.where(seen, 0.0)
    best = torch.arange(KEYS) == left.argmax()
    guesses = {
        "lost": left,
        "equal": left + gone / (KEYS - 1) * seen,
        "share": left / left.sum(),
        "first": left + gone * best,
    }
    gaps = {name: (guess - after).abs().max().item() for name, guess in guesses.items()}
    grown = (after / before)[seen]
    numbers = {
        "weight before the mask": gone.item(),
        "weight with the mask": after[hidden].item(),
        "sum of the others": after[seen].sum().item(),
        "least grown by a factor": grown.min().item(),
        "most grown by a factor": grown.max().item(),
        "1 / (1 - its weight)": 1 / (1 - gone.item()),
    }
    answer = min(gaps, key=gaps.__getitem__) if min(gaps.values()) < 1e-6 else "none"
    return Finding(answer, numbers, {"before": before, "after": after, "seen": seen})
