"""Multi-head attention on a few drawn tokens, with some heads switched off; no Streamlit."""

from dataclasses import dataclass
from functools import lru_cache

import torch

from attention_core.demos.multihead import drawn_layer, multihead
from attention_ui.export.ran import Ran
from attention_ui.export.writing import Call, Field

TOKENS, WIDTH = 8, 16
COUNTS = (1, 2, 4, 8)


@dataclass(frozen=True)
class Layer:
    """How many heads share the width, which of them are on, and what everything is drawn from."""

    heads: int = 4
    seed: int = 0
    on: tuple[bool, ...] = (True,) * 4

    @property
    def titles(self) -> list[str]:
        """What each head is called."""
        return [f"Head {h}" if lit else f"Head {h}, off" for h, lit in enumerate(self.on, 1)]


@lru_cache(64)
def ran(layer: Layer) -> Ran:
    """What the page runs; shared between visitors, so leave its tensors unchanged."""
    call = Call(
        multihead, layer=Call(drawn_layer, tokens=TOKENS, width=WIDTH, seed=layer.seed), on=torch.tensor(layer.on)
    )
    matrices = {title: Field("weights", 0, head) for head, title in enumerate(layer.titles)}
    return Ran(call, "heatmaps", {"matrices": matrices, "across": "tokens that answer", "down": "tokens that ask"})
