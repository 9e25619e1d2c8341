"""The book's run ends far from the w with the smallest leave-one-out loss: which single change helps?"""

from typing import Any

import torch

from attention_core.data import noisy, wave
from attention_core.experiments.finding import Finding
from attention_core.kernels import gaussian
from attention_core.learning.gradient import descended
from attention_core.regression.selection import least_loo_width

CHAPTER: dict[str, Any] = {"w0": 0.375558, "learning_rate": 0.5, "epochs": 5}
CHANGES = {
    "none": CHAPTER,
    "rate": {**CHAPTER, "learning_rate": 0.05},
    "epochs": {**CHAPTER, "epochs": 50},
    "start": {**CHAPTER, "w0": 1.0},
}
DRAWS = 10


def experiment(seed: int) -> Finding:
    """Train on ten data sets with each change alone: by which factor does w miss the best one?"""
    data = [noisy(wave, n=50, noise=0.5, seed=seed + draw) for draw in range(DRAWS)]
    best = torch.tensor([1 / least_loo_width(points, gaussian) for points in data])
    last = torch.tensor([[descended(points, **change)[-1] for points in data] for change in CHANGES.values()])
    factors = (last / best).log().abs().exp()  # (changes, draws), 1 where w is the best one
    medians = dict(zip(CHANGES, factors.median(1).values.tolist(), strict=True))
    numbers = {
        "w misses by a factor of, as in the book": medians["none"],
        "with learning rate 0.05": medians["rate"],
        "with 50 epochs": medians["epochs"],
        "with the start w = 1": medians["start"],
    }
    answer = min(("rate", "epochs", "start"), key=medians.__getitem__)
    return Finding(answer, numbers, {"factors": factors})
