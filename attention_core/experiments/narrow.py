"""Narrow the width to a tenth of the leave-one-out width: which error falls?"""

from attention_core.data import noisy, query_grid, wave
from attention_core.experiments.finding import Finding
from attention_core.kernels import gaussian
from attention_core.pooling import attend
from attention_core.regression.selection import least_loo_width


def experiment(seed: int) -> Finding:
    """The error on the points themselves and against the truth, at the leave-one-out width and at a tenth of it."""
    (x, y), queries = noisy(wave, n=50, noise=0.5, seed=seed), query_grid()
    known = wave(queries)
    chosen = least_loo_width((x, y), gaussian)
    curves, seen, unseen = [], [], []
    for width in (chosen, chosen / 10):
        curves.append(attend(gaussian((queries[:, None] - x) / width), y).output)
        seen.append((attend(gaussian((x[:, None] - x) / width), y).output - y).square().mean().item())
        unseen.append((curves[-1] - known).square().mean().item())
    falls = seen[1] < seen[0], unseen[1] < unseen[0]
    answers = {(True, True): "both", (True, False): "seen", (False, True): "unseen", (False, False): "neither"}
    numbers = {
        "width": chosen,
        "training error": seen[0],
        "true error": unseen[0],
        "a tenth of the width": chosen / 10,
        "training error, narrow": seen[1],
        "true error, narrow": unseen[1],
    }
    drawn = {"x": x, "y": y, "queries": queries, "truth": known}
    return Finding(answers[falls], numbers, {**drawn, "chosen": curves[0], "narrow": curves[1]})
