"""Self-attention over a few words, at one strength of their positions and at all of them; pure, no Streamlit."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from attention_core.demos.self_attention import PROJECTIONS, attended, rearranged
from attention_ui.export.ran import Ran
from attention_ui.export.writing import Call, Field

STEPS = 101  # positions of the slider, in per cent
ROUNDING = 1e-12  # a smaller change is none
USUAL = "same"  # of PROJECTIONS


@dataclass(frozen=True)
class Asked:
    """The words as typed, the order they stand in, and how they look at each other."""

    words: tuple[str, ...]
    order: tuple[int, ...]
    projection: str = USUAL
    causal: bool = False
    seed: int = 0

    @property
    def moved(self) -> bool:
        """Whether the words stand otherwise than they were typed."""
        return self.order != tuple(range(len(self.words)))


@lru_cache(64)
def ran(asked: Asked, percent: int) -> Ran:
    """What the page runs at this strength; shared between visitors, so leave its tensors unchanged."""
    matrices = {"Weights": Field("weights")}
    if asked.moved:
        matrices = {"As typed": Field("typed_weights"), "In the new order": Field("weights")}
    named = {"matrices": matrices, "across": "words that answer", "down": "words that ask"}
    return Ran(_call(asked, percent / (STEPS - 1)), "heatmaps", named)


@lru_cache(32)
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
        causal=asked.causal,
        seed=asked.seed,
    )


def hidden(asked: Asked) -> Tensor | None:
    """Cells (T, T) that a causal mask hides."""
    return torch.ones((len(asked.words),) * 2).triu(1).bool() if asked.causal else None
