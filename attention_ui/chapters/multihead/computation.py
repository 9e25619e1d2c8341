"""What the views run: heads of several widths mixed, and multi-head attention on a few drawn tokens."""

from collections.abc import Sequence
from functools import lru_cache

import torch
from torch import Tensor

from attention_core.data import FUNCTIONS
from attention_core.demos import multihead as demo
from attention_ui.chapters.multihead.choices import SHARES, Layer, Mixture
from attention_ui.export.computation import Computation
from attention_ui.export.points import points_call, queries_call
from attention_ui.export.writing import Call, Field

TOKENS, WIDTH = 8, 16  # on vectors


def all_shares(mixture: Mixture) -> Tensor:
    """Every head's share (F, H) at each position of the slider; a row sums to 1."""
    first = torch.tensor(SHARES, dtype=torch.float64)[:, None]  # (F, 1)
    later = torch.tensor(mixture.later, dtype=torch.float64).expand(len(first), -1)
    return torch.cat([first, 1 - first - later.sum(1, keepdim=True), later], 1)


def mixture_computation(mixture: Mixture, frame: int) -> Computation:
    """What the page runs at this position of the slider: the heads' weights, their mixture, and its errors."""
    dataset = mixture.dataset
    few = len(dataset.samples().x) <= demo.MOST_LEFT_OUT
    given = {
        "points": points_call(dataset),
        "queries": queries_call(dataset),
        "widths": _tidy(mixture.widths),
        "shares": _tidy(all_shares(mixture)[frame].tolist()),
    }
    if few and dataset.has_truth:
        call = Call(demo.mixture_judged, **given, truth=FUNCTIONS[dataset.name].curve)
    else:
        call = Call(demo.mixture_left_out if few else demo.mixture, **given)
    return Computation(call, "curve_and_heatmap")


def _tidy(numbers: Sequence[float]) -> Tensor:
    """The numbers without the last digit, where 1 - 0.9 is not quite 0.1."""
    return torch.tensor([float(f"{each:.15g}") for each in numbers], dtype=torch.float64)


@lru_cache(64)
def layer_computation(layer: Layer) -> Computation:
    """What the page runs; shared between visitors, so leave its tensors unchanged."""
    drawn = Call(demo.drawn_layer, tokens=TOKENS, width=WIDTH, seed=layer.seed)
    call = Call(demo.multihead, layer=drawn, on=torch.tensor(layer.on))
    matrices = {title: Field("weights", 0, head) for head, title in enumerate(layer.titles)}
    return Computation(
        call, "heatmaps", {"matrices": matrices, "across": "tokens that answer", "down": "tokens that ask"}
    )
