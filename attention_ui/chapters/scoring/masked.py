"""Two sentences under a mask, and d2l's example, by our attention, by torch's, and by the usual trick; no Streamlit."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from attention_core.masks import allowed, attended, masked_attend
from attention_core.scoring import AdditiveAttention, scaled_dot

SENTENCES = (("the", "cat", "sat", "down"), ("birds", "sing"))
TOKENS, WIDTH, SEED = 6, 4, 0
WRITTEN, ADDED = -1e6, -1e9  # two usual stand-ins for minus infinity: d2l writes one over, others add one
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
    gap: float  # largest difference from torch's own attention

    @property
    def empty(self) -> Tensor:
        """Queries (2, T) that may look nowhere."""
        return ~attended(self.weights)

    @property
    def trick_gap(self) -> float:
        """How far the usual trick is from the truth where queries see something."""
        apart = (self.weights - self.leaked).abs()[~self.empty]
        return float(apart.max()) if apart.numel() else 0.0


def tokens() -> tuple[Tensor, Tensor]:
    """Queries that are keys too, (2, T, D), drawn from a seed; and the values (T,): each token's place, from 1."""
    vectors = torch.randn(2, TOKENS, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(SEED))
    return vectors, torch.arange(1, TOKENS + 1, dtype=torch.float64)


def masked(masking: Masking) -> Masked:
    """Our weights, how far torch's are from them, and those of the usual trick."""
    vectors, values = tokens()
    lengths = torch.tensor(masking.lengths)
    scores = scaled_dot(vectors, vectors)  # (2, T, T)
    output, weights = masked_attend(scores, values, lengths, masking.causal)
    hidden = ~_seen(scores, lengths, masking.causal)
    leaked = scores.masked_fill(hidden, WRITTEN).softmax(-1)
    added = (scores.float() + ADDED * hidden.float()).softmax(-1)
    # With the unit vectors for values, torch's attention gives back its weights.
    units = torch.eye(TOKENS, dtype=torch.float64).expand(2, -1, -1)
    theirs = scaled_dot_product_attention(vectors, vectors, units, ~hidden)
    return Masked(~hidden, weights, output, leaked, leaked @ values, added, float((weights - theirs).abs().max()))


def _seen(scores: Tensor, lengths: Tensor, causal: bool) -> Tensor:
    seen = allowed(tuple(scores.shape), lengths, causal)
    assert seen is not None  # there are lengths
    return seen


def worked_example() -> tuple[Tensor, Tensor]:
    """d2l's additive attention over ten equal keys of which 2 and 6 count: output (2, 4) and weights (2, 10)."""
    generator = torch.Generator().manual_seed(SEED)
    queries = torch.randn(2, 1, 20, generator=generator)
    keys, values = torch.ones(2, 10, 2), torch.arange(40.0).view(1, 10, 4).expand(2, -1, -1)
    with torch.no_grad():
        output, weights = AdditiveAttention(20, 2, 8, generator)(queries, keys, values, torch.tensor(LENGTHS))
    return output[:, 0], weights[:, 0]
