"""The chapter's run ends far from the best w. Which one change helps?"""

from dataclasses import replace

import torch

from attention_core.data import generate
from attention_core.experiments.finding import Finding
from attention_core.learning.training import TrainingConfig, train
from attention_core.regression.selection import best_width

CHAPTER = TrainingConfig(epochs=5, learning_rate=0.5, w0=0.375558)
CHANGES = {
    "none": CHAPTER,
    "rate": replace(CHAPTER, learning_rate=0.05),
    "epochs": replace(CHAPTER, epochs=50),
    "start": replace(CHAPTER, w0=1.0),
}
DRAWS = 10


def experiment(seed: int) -> Finding:
    """Train on ten data sets with each change alone: by which factor does w miss the best one?"""
    data = [generate("wave", n=50, noise=0.5, seed=seed + draw) for draw in range(DRAWS)]
    best = torch.tensor([1 / best_width(samples) for samples in data])
    last = torch.tensor([[list(train(samples, change))[-1].w for samples in data] for change in CHANGES.values()])
    factors = (last / best).log().abs().exp()  # (changes, draws), 1 where w is the best one
    medians = dict(zip(CHANGES, factors.median(1).values.tolist(), strict=True))
    numbers = {
        "w misses by a factor of, as in the chapter": medians["none"],
        "with learning rate 0.05": medians["rate"],
        "with 50 epochs": medians["epochs"],
        "with the start w = 1": medians["start"],
    }
    answer = min(("rate", "epochs", "start"), key=medians.__getitem__)
    return Finding(answer, numbers, {"factors": factors})
