"""Heads of different widths on one set of points, mixed with every share of the first; pure, no Streamlit.

prediction = sum_h share_h head_h, where the shares sum to 1. W_o may subtract, so a share runs from -1 to 2.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.data import truth
from attention_core.demos.multihead import best_shares_in_steps, mean_squares
from attention_core.regression.frames import grouped_weights, key_groups
from attention_core.regression.prediction import Predictions
from attention_core.regression.selection import PointErrors, loo_losses
from attention_core.regression.sums.pairs import queries_at
from attention_ui.chapters.multihead.choices import LEAST, MOST, STEP, Mixture
from attention_ui.chapters.multihead.computation import all_shares
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widths import width_options
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
    by_others = mean_squares(shares, heads.others, heads.y)
    if not mixture.dataset.has_truth:
        return by_others, None
    known = truth(mixture.dataset.name, heads.coarse)
    return by_others, mean_squares(shares, heads.outputs, known)


@shared
def best_mixture(dataset: Dataset, widths: tuple[float, ...]) -> tuple[float, ...]:
    """The shares (H,) on the sliders with the smallest leave-one-out error, never larger than of one head alone."""
    heads = heads_of(dataset, widths)
    best = best_shares_in_steps(heads.others, heads.y, LEAST, MOST, STEP)
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
