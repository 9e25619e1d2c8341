"""Multi-head attention on a few drawn tokens, with some heads switched off, beside torch's own; no Streamlit."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor, nn

from attention_core.transformer.multihead import MultiHeadAttention
from attention_core.transformer.recorder import Recorder

TOKENS, WIDTH = 8, 16
COUNTS = (1, 2, 4, 8)
SHARPER = 3.0  # a fresh layer attends almost evenly; training would sharpen it


@dataclass(frozen=True)
class Layer:
    """How many heads share the width, which of them are on, and what everything is drawn from."""

    heads: int = 4
    seed: int = 0
    on: tuple[bool, ...] = (True,) * 4


class Looked(NamedTuple):
    """The layer's pass; shared between visitors, so leave it unchanged."""

    weights: Tensor  # (H, T, T) as computed, switched off or not
    parts: Tensor  # (H, T, W): what each head adds, 0 where it is off
    whole: Tensor  # (H, T, W): what each would add were all on
    output: Tensor  # (T, W)
    full: Tensor  # (T, W): the output with all heads on
    shapes: tuple[tuple[str, tuple[int, ...]], ...]
    gap: float  # the largest difference from torch.nn.MultiheadAttention, of outputs and weights

    @property
    def damage(self) -> float:
        """|output - full| / |full|"""
        return float((self.output - self.full).norm() / self.full.norm())

    @property
    def remainder(self) -> float:
        """How far the parts are from summing to the output: rounding."""
        return float((self.parts.sum(0) - self.output).abs().max())


def built(heads: int, seed: int) -> tuple[MultiHeadAttention, Tensor]:
    """The layer and its tokens (1, T, W): the same numbers for any count of heads, only cut otherwise."""
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randn(1, TOKENS, WIDTH, generator=generator).double()
    attention = MultiHeadAttention(WIDTH, heads, generator=generator).double().requires_grad_(False)
    attention.W_q.weight *= SHARPER
    return attention, rows


def as_torch(attention: MultiHeadAttention) -> nn.MultiheadAttention:
    """torch's own layer with the same parameters."""
    made = nn.MultiheadAttention(attention.width, attention.heads, batch_first=True, dtype=torch.float64)
    made.requires_grad_(False)
    maps = (attention.W_q, attention.W_k, attention.W_v)
    made.in_proj_weight.copy_(torch.cat([each.weight for each in maps]))
    made.in_proj_bias.copy_(torch.cat([each.bias for each in maps]))
    made.out_proj.weight.copy_(attention.W_o.weight)
    made.out_proj.bias.copy_(attention.W_o.bias)
    return made


@lru_cache(64)
def looked(layer: Layer) -> Looked:
    """Run the layer with all heads, with those that are on, and torch's own beside it."""
    attention, rows = built(layer.heads, layer.seed)
    notes: dict[str, Tensor] = {}
    full = attention(rows, rows, rows, recorder=Recorder(notes))
    some = attention(rows, rows, rows, on=torch.tensor(layer.on))
    output, weights = as_torch(attention)(rows, rows, rows, average_attn_weights=False)
    gap = max((output - full.output).abs().max().item(), (weights - full.weights).abs().max().item())
    shapes = (("tokens", tuple(rows.shape)), *((name, tuple(tensor.shape)) for name, tensor in notes.items()))
    return Looked(
        full.weights[0],
        attention.parts(some.heads)[0],
        attention.parts(full.heads)[0],
        some.output[0],
        full.output[0],
        shapes,
        gap,
    )
