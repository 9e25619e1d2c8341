"""Two sentences under a mask, and d2l's example, by masking, by torch, and by the usual tricks; no Streamlit."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from torch import Tensor

from attention_core.demos.masked import masks, seen_by_length, seen_so_far
from attention_core.masks import attended
from attention_ui.export.computation import Computation
from attention_ui.export.writing import Call, Field

SENTENCES = (("the", "cat", "sat", "down"), ("birds", "sing"))
TOKENS = 6  # of a sentence, padding included
SEED = 0
LENGTHS = (2, 6)  # of d2l's example


@dataclass(frozen=True)
class Masking:
    """How many tokens every query of both sentences may see, and whether the future is hidden."""

    lengths: tuple[tuple[int, ...], ...]  # (2, T)
    causal: bool = False


class Masked(NamedTuple):
    """Two sentences under a mask."""

    seen: Tensor  # (2, T, T): who may look where
    weights: Tensor  # (2, T, T)
    output: Tensor  # (2, T)
    leaked: Tensor  # (2, T, T): the weights when -1e6 is written over hidden scores instead
    leaked_output: Tensor  # (2, T)
    added: Tensor  # (2, T, T): and when -1e9 is added to them in float32
    torchs: Tensor  # (2, T, T): those of torch's own attention
    example_output: Tensor  # (2, 4): of d2l's example
    example_weights: Tensor  # (2, 10)

    @property
    def empty(self) -> Tensor:
        """Queries (2, T) that may look nowhere."""
        return ~attended(self.weights)

    @property
    def gap(self) -> float:
        """The largest difference from torch's own attention."""
        return float((self.weights - self.torchs).abs().max())

    @property
    def trick_gap(self) -> float:
        """How far the usual trick is from the truth where queries see something."""
        apart = (self.weights - self.leaked).abs()[~self.empty]
        return float(apart.max()) if apart.numel() else 0.0


@lru_cache(64)
def computation(masking: Masking) -> Computation:
    """What the page runs under this mask."""
    seen = Call(seen_so_far if masking.causal else seen_by_length, lengths=masking.lengths)
    call = Call(masks, seen=seen, example_lengths=LENGTHS, seed=SEED)
    kinds = {"weights": "masked", "leaked": "with -1e6 instead"}
    matrices = {
        f"sentence {sentence}, {words}": Field(name, sentence)
        for sentence in range(len(SENTENCES))
        for name, words in kinds.items()
    }
    return Computation(call, "heatmaps", {"matrices": matrices})


def masked(masking: Masking) -> Masked:
    """Both sentences under this mask, and d2l's example."""
    shown = computation(masking).shown
    return Masked(*(shown[name] for name in Masked._fields))
