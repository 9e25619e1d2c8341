"""Which w does gradient descent find on the chapter's data?"""

import torch

from attention_core.data import generate, query_grid
from attention_core.experiments.finding import Finding
from attention_core.learning.training import TrainingConfig, train
from attention_core.pooling import kernel_pool


def experiment(seed: int) -> Finding:
    """Train w for 50 steps from w = 1, each point left out of its own average."""
    samples, queries = generate("wave", n=50, noise=0.5, seed=seed), query_grid()
    steps = list(train(samples, TrainingConfig(epochs=50, learning_rate=0.1, w0=1.0)))
    w = steps[-1].w
    before, after = (kernel_pool(queries, *samples, width=1 / each).weights for each in (1.0, w))
    numbers = {
        "learned w": w,
        "width 1 / w": 1 / w,
        "loss at w = 1": steps[0].loss,
        "loss in the end": steps[-1].loss,
        "largest weight at w = 1": before.max().item(),
        "largest weight at the learned w": after.max().item(),
    }
    path = torch.tensor([1.0, *(step.w for step in steps)])
    return Finding(w, numbers, {"path": path, "before": before, "after": after})
