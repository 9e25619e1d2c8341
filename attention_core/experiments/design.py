"""Design another parametric pooling: which of four predicts best?"""

import torch
from torch import Tensor

from attention_core.data import Samples, noisy, query_grid, wave
from attention_core.demos.learned_heads import heads_descent, left_out_error, mixture_at
from attention_core.experiments.finding import Finding
from attention_core.kernels import gaussian
from attention_core.learning.stretch import unstretched
from attention_core.pooling import attend
from attention_core.regression.local_linear import tilt
from attention_core.regression.selection import least_loo_width, line_outputs

DRAWS, EIGHTH = 7, 8
TRIED = torch.logspace(-1, 1.3, 60, dtype=torch.float64)


def one_w(samples: Samples, queries: Tensor) -> Tensor:
    """The chapter's own: one learned w for all."""
    width = least_loo_width(samples, gaussian)
    return attend(gaussian((queries[:, None] - samples.x) / width), samples.y).output


def two_heads(samples: Samples, queries: Tensor) -> Tensor:
    """Two learned w, mixed by learned shares."""
    run = heads_descent(samples, (1.0, 6.0), 0.2, 100, torch.optim.Adam, 1.0, left_out_error, unstretched)
    output: Tensor = mixture_at(run, queries, -1)["output"]
    return output


def own_w(samples: Samples, queries: Tensor) -> Tensor:
    """A w of its own for each query: one learned number over the distance to its 8th nearest key."""
    apart = (samples.x[:, None] - samples.x).abs()  # (n, n)
    far = (queries[:, None] - samples.x).abs()  # (Q, n)
    u = apart / apart.sort(-1).values[:, EIGHTH, None]  # the nearest key is the point itself
    scores = -(TRIED[:, None, None] * u).square() / 2
    left_out = attend(scores.masked_fill(torch.eye(len(u)).bool(), -torch.inf), samples.y).output  # (tried, n)
    w = TRIED[(left_out - samples.y).square().sum(-1).argmin()]
    return attend(-(w * far / far.sort(-1).values[:, EIGHTH - 1, None]).square() / 2, samples.y).output


def local_line(samples: Samples, queries: Tensor) -> Tensor:
    """A learned w, and a line through the weighted points instead of their mean."""
    width = least_loo_width(samples, gaussian, line_outputs)
    return tilt(gaussian((queries[:, None] - samples.x) / width), queries, *samples).output


DESIGNS = {"one": one_w, "heads": two_heads, "own": own_w, "line": local_line}


def experiment(seed: int) -> Finding:
    """Each design learns from seven data sets of 50 points, and is judged against the truth."""
    queries = query_grid()
    known = wave(queries)
    data = [Samples(*noisy(wave, n=50, noise=0.5, seed=seed + draw)) for draw in range(DRAWS)]
    curves = [[design(samples, queries) for samples in data] for design in DESIGNS.values()]
    errors = torch.stack([torch.stack([(curve - known).square().mean() for curve in row]) for row in curves])
    medians = dict(zip(DESIGNS, errors.median(1).values.tolist(), strict=True))
    numbers = {
        "error of one w": medians["one"],
        "error of two heads": medians["heads"],
        "error of a w for each query": medians["own"],
        "error of a local line": medians["line"],
    }
    return Finding(min(medians, key=medians.__getitem__), numbers, {"errors": errors})
