"""Heads of different widths on one set of points, mixed with every share of the first; pure, no Streamlit.

prediction = sum_h share_h head_h, where the shares sum to 1. W_o may subtract, so a share runs from -1 to 2.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import truth
from attention_core.demos.multihead import best_shares
from attention_core.regression.frames import grouped_weights, key_groups
from attention_core.regression.prediction import Predictions
from attention_core.regression.selection import PointErrors, loo_losses
from attention_core.regression.sums.pairs import queries_at
from attention_ui.chapters.multihead.choices import LEAST, MOST, STEP, Mixture
from attention_ui.chapters.multihead.computation import all_shares
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.width import width_options
from attention_ui.pictures.regression import FINE, queries_for
from attention_ui.shared import shared


class Heads(NamedTuple):
    """Every head alone; shared between visitors, so leave them unchanged."""

    fine: Tensor  # (C,) queries of the curve
    coarse: Tensor  # (Q,) queries of the heatmap
    curves: Tensor  # (H, C)
    outputs: Tensor  # (H, Q)
    weights: Tensor  # (H, Q, G)
    groups: Tensor  # (K,): the column of every key
    others: Tensor  # (H, n): every point as each head predicts it from the others
    y: Tensor  # (n,)


class Single(NamedTuple):
    """The best that one head of any width on the slider can do."""

    loo_error: float
    loo_width: float
    test_error: float | None  # chosen with the truth at hand; None where nobody knows it
    test_width: float | None


@shared
def heads_of(dataset: Dataset, widths: tuple[float, ...]) -> Heads:
    """What each head predicts and attends to by itself."""
    samples, coarse, column = dataset.samples(), queries_for(dataset), torch.tensor(widths, dtype=torch.float64)
    fine = torch.linspace(dataset.low, dataset.high, FINE, dtype=torch.float64)
    predictions = Predictions(samples)
    return Heads(
        fine,
        coarse,
        predictions.outputs(fine, column),
        predictions.outputs(coarse, column),
        grouped_weights(samples.x, queries_at(coarse, samples.x), column),
        key_groups(len(samples.x)),
        samples.y + PointErrors(samples).errors(column)[0],
        samples.y,
    )


def errors(mixture: Mixture) -> tuple[Tensor, Tensor | None]:
    """Mean squared error by leave-one-out (F,), and against the truth (F,) where it is known."""
    heads, shares = heads_of(mixture.dataset, mixture.widths), all_shares(mixture)
    by_others = (shares @ heads.others - heads.y).square().mean(-1)
    if not mixture.dataset.has_truth:
        return by_others, None
    known = truth(mixture.dataset.name, heads.coarse)
    return by_others, (shares @ heads.outputs - known).square().mean(-1)


@shared
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


@shared
def best_single(dataset: Dataset) -> Single:
    """The smallest errors over all widths of the slider, each with its own best width."""
    samples = dataset.samples()
    widths = torch.tensor(width_options(dataset.high - dataset.low), dtype=torch.float64)
    losses = loo_losses(samples, widths)
    loo = int(losses.argmin())
    if not dataset.has_truth:
        return Single(losses[loo].item(), widths[loo].item(), None, None)
    queries = queries_for(dataset)
    tests = (Predictions(samples).outputs(queries, widths) - truth(dataset.name, queries)).square().mean(-1)  # (W,)
    test = int(tests.argmin())
    return Single(losses[loo].item(), widths[loo].item(), tests[test].item(), widths[test].item())
