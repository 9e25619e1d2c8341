"""Which w does gradient descent find on the chapter's data?"""

import torch

from attention_core.data import noisy, query_grid, wave
from attention_core.demos.learned_w import before_and_after, gradient_descent, left_out_error
from attention_core.experiments.finding import Finding
from attention_core.learning.stretch import unstretched


def experiment(seed: int) -> Finding:
    """Train w for 50 steps from w = 1, each point left out of its own average."""
    points = noisy(wave, n=50, noise=0.5, seed=seed)
    run = gradient_descent(points, 1.0, 0.1, 50, torch.optim.SGD, 1.0, left_out_error, unstretched)
    found = before_and_after(run, query_grid())
    w, losses, before, after = (found[name] for name in ("w", "losses", "before", "after"))
    last = w[-1].item()
    numbers = {
        "learned w": last,
        "width 1 / w": 1 / last,
        "loss at w = 1": losses[0].item(),
        "loss in the end": losses[-2].item(),
        "largest weight at w = 1": before.max().item(),
        "largest weight at the learned w": after.max().item(),
    }
    return Finding(last, numbers, {"path": w.float(), "before": before, "after": after})
