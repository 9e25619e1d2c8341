"""What the views run: words that attend to each other, positions and their rotation, and what a layer costs."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from attention_core.demos.self_attention import (
    PROJECTIONS,
    attended,
    costs,
    every_word,
    no_later_word,
    rearranged,
    rotations,
)
from attention_core.transformer.cost import LAYERS, LENGTHS
from attention_ui.chapters.self_attention.choices import Asked
from attention_ui.chapters.self_attention.pictures_positions import SHOWN
from attention_ui.export.computation import Computation
from attention_ui.export.writing import Call, Field
from attention_ui.shared import shared

STEPS = 101  # positions of the slider, in per cent
KERNEL = 3  # symbols that the convolution covers at a time


@lru_cache(64)
def tokens_computation(asked: Asked, percent: int) -> Computation:
    """What the page runs at this strength; shared between visitors, so leave its tensors unchanged."""
    matrices = {"Weights": Field("weights")}
    if asked.moved:
        matrices = {"As typed": Field("typed_weights"), "In the new order": Field("weights")}
    named = {"matrices": matrices, "across": "words as keys", "down": "words as queries"}
    return Computation(_call(asked, percent / (STEPS - 1)), "heatmaps", named)


@shared
def frames(asked: Asked) -> Mapping[str, Tensor]:
    """The same at every strength: weights (F, T, T), output (F, T, WIDTH), and in a new order what it changes (F,)."""
    strengths = torch.arange(STEPS, dtype=torch.float64) / (STEPS - 1)
    shown: Mapping[str, Tensor] = _call(asked, strengths[:, None, None]).run()
    return shown


def _call(asked: Asked, strength: float | Tensor) -> Call:
    projection = PROJECTIONS[asked.projection]
    order: dict[str, Any] = {"order": asked.order} if asked.moved else {}
    return Call(
        rearranged if asked.moved else attended,
        words=asked.words,
        **order,
        strength=strength,
        maps=Call(projection.maps, **({"seed": asked.seed} if projection.is_drawn else {})),
        mask=no_later_word if asked.causal else every_word,
        seed=asked.seed,
    )


def hidden(asked: Asked) -> Tensor | None:
    """Cells (T, T) that a causal mask hides."""
    return torch.ones((len(asked.words),) * 2).triu(1).bool() if asked.causal else None


@lru_cache(64)
def positions_computation(width: int, offset: int) -> Computation:
    """What the page runs for positions in this width, a step of `offset` apart."""
    titles = {"P": "P", "P, every pair rotated": "rotated", "P P^T, divided by d / 2": "products"}
    drawn = {
        "matrices": {title: Field(name) for title, name in titles.items()},
        "across": "dimensions, or positions",
        "down": "positions",
    }
    return Computation(Call(rotations, positions=SHOWN, width=width, offset=offset), "heatmaps", drawn)


def cost_computation(width: int, length: int) -> Computation:
    """What the page counts at this width, with the table at this length."""
    layers = [layer.counts for layer in LAYERS.values()]
    lines = {layer.label: Field("multiplications", place) for place, layer in enumerate(LAYERS.values())}
    call = Call(costs, layers=layers, lengths=torch.tensor(LENGTHS), length=length, width=width, kernel=KERNEL)
    return Computation(call, "graphs", {"x": Field("lengths"), "lines": lines, "across": "length n", "scale": "log"})
