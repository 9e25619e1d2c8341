"""Heads of different widths on one set of points, mixed with every share of the first; pure, no Streamlit.

prediction = sum_h share_h head_h, where the shares sum to 1. W_o may subtract, so a share runs from -1 to 2.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import Samples, truth
from attention_core.demos.multihead import best_shares
from attention_core.pooling import kernel_pool
from attention_core.regression.estimator import Estimator
from attention_core.regression.frames import key_groups, summed
from attention_core.regression.selection import left_out, loo_losses
from attention_ui.chapters.multihead.calls import all_shares
from attention_ui.chapters.multihead.choices import LEAST, MOST, STEP, Mixture
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.width import width_options
from attention_ui.pictures.regression import FINE, queries_for

COARSE = 4
BLOCK = 2**17  # pairs at once, 1 MB of float64


class Heads(NamedTuple):
    """Every head alone; shared between visitors, so leave them unchanged."""

    fine: Tensor  # (C,) queries of the curve
    coarse: Tensor  # (Q,) queries of the heatmap
    curves: Tensor  # (H, C)
    outputs: Tensor  # (H, Q)
    weights: Tensor  # (H, Q, G)
    groups: Tensor  # (K,): the column of every key
    others: Tensor  # (H, L): every left-out point as each head predicts it from the others
    y: Tensor  # (L,): the left-out values


class Single(NamedTuple):
    """The best that one head of any width on the slider can do."""

    loo_error: float
    loo_width: float
    test_error: float | None  # chosen with the truth at hand; None where nobody knows it
    test_width: float | None


@lru_cache(32)
def heads_of(dataset: Dataset, widths: tuple[float, ...]) -> Heads:
    """What each head predicts and attends to by itself."""
    samples, coarse = dataset.samples(), queries_for(dataset)
    fine = torch.linspace(dataset.low, dataset.high, FINE, dtype=torch.float64)
    groups, at = key_groups(len(samples.x)), left_out(len(samples.x))
    at = torch.arange(len(samples.x)) if at is None else at
    pooled = [kernel_pool(coarse, *samples, width) for width in widths]
    return Heads(
        fine,
        coarse,
        torch.stack([Estimator(width).predict(fine, samples) for width in widths]),
        torch.stack([each.output for each in pooled]),
        torch.stack([summed(each.weights, groups) for each in pooled]),
        groups,
        torch.stack([left_out_predictions(samples, width, at) for width in widths]),
        samples.y[at],
    )


def left_out_predictions(samples: Samples, width: float, at: Tensor) -> Tensor:
    """Each of the points at these positions (L,) predicted from all the others, in row blocks."""
    found = []
    for here in at.split(max(1, BLOCK // len(samples.x))):
        scores = ((samples.x[here, None] - samples.x) / width).square_().mul_(-0.5)  # (rows, n)
        scores[torch.arange(len(here)), here] = -math.inf
        found.append(scores.softmax(-1) @ samples.y)
    return torch.cat(found)


def errors(mixture: Mixture) -> tuple[Tensor, Tensor | None]:
    """Mean squared error by leave-one-out (F,), and against the truth (F,) where it is known."""
    heads, shares = heads_of(mixture.dataset, mixture.widths), all_shares(mixture)
    by_others = (shares @ heads.others - heads.y).square().mean(-1)
    if not mixture.dataset.has_truth:
        return by_others, None
    known = truth(mixture.dataset.name, heads.coarse)
    return by_others, (shares @ heads.outputs - known).square().mean(-1)


@lru_cache(32)
def best_mixture(dataset: Dataset, widths: tuple[float, ...]) -> tuple[float, ...]:
    """The shares (H,) on the sliders with the smallest leave-one-out error: of the steps around the least-squares
    solution, and of every head alone, so that it is never worse than one of them."""
    heads = heads_of(dataset, widths)
    exact = best_shares(heads.others, heads.y, LEAST, MOST)
    below = (torch.cat([exact[:1], exact[2:]]) / STEP).floor()  # (H - 1,)
    around = torch.cartesian_prod(*torch.stack([below, below + 1], 1)).reshape(-1, len(below)) * STEP
    tried = torch.cat([around.clamp(LEAST, MOST), torch.eye(len(widths))[:, torch.arange(len(widths)) != 1]])
    shares = torch.cat([tried[:, :1], 1 - tried.sum(1, keepdim=True), tried[:, 1:]], 1)
    best = shares[(shares @ heads.others - heads.y).square().mean(1).argmin()]
    return tuple(round(share, 2) for share in best.tolist())


@lru_cache(32)
def best_single(dataset: Dataset) -> Single:
    """The smallest errors over all widths of the slider, each with its own best width."""
    samples = dataset.samples()
    widths = torch.tensor(width_options(dataset.high - dataset.low), dtype=torch.float64)
    at = left_out(len(samples.x))
    # Leaving out takes long, so first every fourth width, then those around the best of them.
    rough = int(loo_losses(samples, widths[::COARSE], at=at).argmin()) * COARSE
    near = widths[max(0, rough - COARSE) : rough + COARSE + 1]
    losses = loo_losses(samples, near, at=at)
    loo = int(losses.argmin())
    if not dataset.has_truth:
        return Single(losses[loo].item(), near[loo].item(), None, None)
    queries = queries_for(dataset)
    outputs = torch.stack([Estimator(width).predict(queries, samples) for width in widths.tolist()])  # (W, Q)
    tests = (outputs - truth(dataset.name, queries)).square().mean(-1)
    test = int(tests.argmin())
    return Single(losses[loo].item(), near[loo].item(), tests[test].item(), widths[test].item())
