"""Train w, but let every point attend to itself."""

import torch

from attention_core.data import generate
from attention_core.experiments.finding import Finding
from attention_core.learning.training import TrainingConfig, train

EPOCHS = 300


def experiment(seed: int) -> Finding:
    """The same run twice, with and without leaving each point out of its own average."""
    samples = generate("wave", n=50, noise=0.5, seed=seed)
    paths = [
        torch.tensor([step.w for step in train(samples, TrainingConfig(EPOCHS, 0.1, 1.0, leave_one_out=alone))])
        for alone in (False, True)
    ]
    itself, others = paths
    half, last, settled = (path[at].item() for path, at in ((itself, EPOCHS // 2 - 1), (itself, -1), (others, -1)))
    # It runs away when it is far above where the other run settled, and still climbing.
    away = last > 1.5 * settled and last > 1.02 * half
    answer = "zero" if last < 0.5 else "grows" if away else "settles"
    numbers = {
        "w after 150 epochs, attending to itself": half,
        "w after 300 epochs, attending to itself": last,
        "w after 300 epochs, left out": settled,
    }
    return Finding(answer, numbers, {"itself": itself, "others": others})
