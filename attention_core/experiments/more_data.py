"""A hundred times as many points: does the error go to 0?"""

import torch

from attention_core.data import generate, query_grid, truth
from attention_core.experiments.finding import Finding
from attention_core.kernels import gaussian
from attention_core.pooling import predict_in_blocks
from attention_core.regression.selection import least_loo_width

SIZES = (5, 15, 50, 150, 500)
DRAWS = (20, 10, 5, 2, 1)  # few points scatter much: average over several draws of them


def experiment(seed: int) -> Finding:
    """The error against the truth with more and more points, with width 1 and with the leave-one-out width."""
    queries = query_grid()
    known = truth("wave", queries)
    errors = torch.zeros(2, len(SIZES), dtype=torch.float64)
    widths = torch.zeros(len(SIZES), dtype=torch.float64)
    for place, (n, draws) in enumerate(zip(SIZES, DRAWS, strict=True)):
        for draw in range(draws):
            samples = generate("wave", n=n, noise=0.5, seed=seed + draw)
            width = least_loo_width(samples, gaussian)
            widths[place] += width / draws
            for row, each in enumerate((1.0, width)):
                errors[row, place] += (predict_in_blocks(queries, *samples, each) - known).square().mean() / draws
    fallen = errors[:, 0] / errors[:, -1]  # so many times smaller
    fixed, free = (fallen >= 5).tolist()
    answers = {(True, True): "both", (True, False): "fixed", (False, True): "free", (False, False): "neither"}
    numbers = {
        "error of width 1, 5 points": errors[0, 0].item(),
        "error of width 1, 500 points": errors[0, -1].item(),
        "error of leave-one-out, 5 points": errors[1, 0].item(),
        "error of leave-one-out, 500 points": errors[1, -1].item(),
        "its width, 5 points": widths[0].item(),
        "its width, 500 points": widths[-1].item(),
    }
    drawn = {"sizes": torch.tensor(SIZES), "fixed": errors[0], "free": errors[1], "widths": widths}
    return Finding(answers[fixed, free], numbers, drawn)
