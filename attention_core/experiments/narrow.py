"""Narrow the width far below the best one: which error notices?"""

from attention_core.data import generate, query_grid, truth
from attention_core.experiments.finding import Finding
from attention_core.pooling import kernel_pool
from attention_core.regression.selection import best_width


def experiment(seed: int) -> Finding:
    """The error on the points themselves and against the truth, at the best width and at a tenth of it."""
    samples, queries = generate("wave", n=50, noise=0.5, seed=seed), query_grid()
    known = truth("wave", queries)
    best = best_width(samples)
    curves, seen, unseen = [], [], []
    for width in (best, best / 10):
        curves.append(kernel_pool(queries, *samples, width).output)
        seen.append((kernel_pool(samples.x, *samples, width).output - samples.y).square().mean().item())
        unseen.append((curves[-1] - known).square().mean().item())
    falls = seen[1] < seen[0], unseen[1] < unseen[0]
    answers = {(True, True): "both", (True, False): "seen", (False, True): "unseen", (False, False): "neither"}
    numbers = {
        "width": best,
        "error on its own points": seen[0],
        "error against the truth": unseen[0],
        "a tenth of the width": best / 10,
        "error on its own points, narrow": seen[1],
        "error against the truth, narrow": unseen[1],
    }
    drawn = {"x": samples.x, "y": samples.y, "queries": queries, "truth": known}
    return Finding(answers[falls], numbers, {**drawn, "best": curves[0], "narrow": curves[1]})
