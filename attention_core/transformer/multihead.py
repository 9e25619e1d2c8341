"""Several attentions side by side: split the width among the heads, let each attend, merge what they read.

head_h = softmax((Q W_q^h) (K W_k^h)^T / sqrt(D)) (V W_v^h), and output = [head_1, ..., head_H] W_o + b. Cut W_o into
one strip of rows for each head, and the output is the sum of the heads' own parts: sum_h head_h W_o^h + b.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from attention_core.checks import InputError, check_whole
from attention_core.masks import Lengths, masked_softmax
from attention_core.scores import scaled_dot
from attention_core.transformer.recorder import NO_RECORDER, Recorder

WIDEST = 4096


class Attended(NamedTuple):
    """What several heads give back; D = width / H is the width of a head."""

    output: Tensor  # (B, Q, width)
    weights: Tensor  # (B, H, Q, K) of every head, as computed even where the head is switched off
    heads: Tensor  # (B, H, Q, D) what each head read; 0 for one that is switched off


def split(rows: Tensor, heads: int) -> Tensor:
    """(B, T, width) -> (B, H, T, D): each head gets its own strip of the width."""
    strips: Tensor = rows.unflatten(-1, (heads, -1))  # (B, T, H, D)
    return strips.transpose(-2, -3)


def merge(heads: Tensor) -> Tensor:
    """(B, H, T, D) -> (B, T, width): the strips side by side again."""
    return heads.transpose(-2, -3).flatten(-2)


class MultiHeadAttention(nn.Module):
    """H attentions of width / H each, between four linear maps; equal to torch.nn.MultiheadAttention."""

    def __init__(
        self, width: int, heads: int, query_width: int | None = None, key_width: int | None = None,
        value_width: int | None = None, bias: bool = True, generator: torch.Generator | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        check_whole("width", width, 1, WIDEST)
        check_whole("heads", heads, 1, width)
        if width % heads:
            raise InputError(f"width must be a multiple of heads: {width} cannot be split evenly among {heads}.")
        self.width, self.heads = width, heads
        self.W_q = linear(query_width or width, width, bias, generator)
        self.W_k = linear(key_width or width, width, bias, generator)
        self.W_v = linear(value_width or width, width, bias, generator)
        self.W_o = linear(width, width, bias, generator)

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Lengths = None, causal: bool = False,
        mask: Tensor | None = None, on: Tensor | None = None, recorder: Recorder = NO_RECORDER,
    ) -> Attended:  # fmt: skip
        """Rows (B, Q, width), (B, K, width), (B, K, width) -> Attended.

        Who may look where is said as in `masked_softmax`; a mask is (Q, K), (B, Q, K) or (B, H, Q, K), true where a
        query may look. The heads that are on, bool (H,) or (B, H), may be told; by default all are.
        """
        q, k, v = self.project(queries, keys, values)  # (B, H, Q, D), (B, H, K, D), (B, H, K, D)
        scores = scaled_dot(q, k)  # (B, H, Q, K)
        weights = masked_softmax(scores, valid_lens, causal, _by_head(mask))
        heads = weights @ v if on is None else (weights @ v) * self._switches(on, q)  # (B, H, Q, D)
        merged = merge(heads)  # (B, Q, width)
        output = self.W_o(merged)
        names = ("queries", "keys", "values", "scores", "weights", "heads", "merged", "output")
        for name, tensor in zip(names, (q, k, v, scores, weights, heads, merged, output), strict=True):
            recorder.note(name, tensor)
        return Attended(output, weights, heads)

    def project(self, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Each head's own queries, keys and values: Q W_q^h, K W_k^h and V W_v^h."""
        _check("queries", queries, self.W_q)
        _check("keys", keys, self.W_k)
        _check("values", values, self.W_v)
        return (
            split(self.W_q(queries), self.heads),
            split(self.W_k(keys), self.heads),
            split(self.W_v(values), self.heads),
        )

    def parts(self, heads: Tensor) -> Tensor:
        """What each head adds to the output, (B, H, Q, width): head_h W_o^h; in sum the output without its bias."""
        strips: Tensor = self.W_o.weight.mT.unflatten(0, (self.heads, -1))  # (H, D, width)
        return heads @ strips

    def _switches(self, on: Tensor, like: Tensor) -> Tensor:
        if on.dtype != torch.bool or on.shape not in ((self.heads,), (len(like), self.heads)):
            raise InputError(f"on must be true or false for each of the {self.heads} heads.")
        return on[..., None, None].to(like.dtype)  # (H, 1, 1) or (B, H, 1, 1)


@torch.no_grad()
def from_torch(other: nn.MultiheadAttention) -> MultiHeadAttention:
    """The same attention with copies of torch's parameters; ours takes its rows as torch does with batch_first."""
    out, biased = other.out_proj, other.in_proj_bias is not None
    mine = MultiHeadAttention(other.embed_dim, other.num_heads, None, other.kdim, other.vdim, biased).to(
        out.weight.dtype
    )
    if other._qkv_same_embed_dim:  # then torch keeps all three in one
        weights = other.in_proj_weight.chunk(3)
    else:
        weights = (other.q_proj_weight, other.k_proj_weight, other.v_proj_weight)
    maps = (mine.W_q, mine.W_k, mine.W_v, mine.W_o)
    for linear_map, weight in zip(maps, (*weights, out.weight), strict=True):
        linear_map.weight.copy_(weight)
    if biased:
        for linear_map, bias in zip(maps, (*other.in_proj_bias.chunk(3), out.bias), strict=True):
            linear_map.bias.copy_(bias)
    return mine


def linear(inputs: int, outputs: int, bias: bool = True, generator: torch.Generator | None = None) -> nn.Linear:
    """A linear map that begins as Glorot and Bengio advise, evenly from ±sqrt(6 / (inputs + outputs)), bias 0."""
    made = nn.Linear(inputs, outputs, bias)
    nn.init.xavier_uniform_(made.weight, generator=generator)
    if bias:
        nn.init.zeros_(made.bias)
    return made


def _check(name: str, rows: Tensor, linear_map: nn.Linear) -> None:
    if rows.ndim != 3 or rows.shape[-1] != linear_map.in_features:
        raise InputError(f"{name} must have shape (batch, rows, {linear_map.in_features}), not {tuple(rows.shape)}.")


def _by_head(mask: Tensor | None) -> Tensor | None:
    """The mask of a batch (B, Q, K) as (B, 1, Q, K), the same for every head; other masks as they are."""
    return mask.unsqueeze(1) if mask is not None and mask.ndim == 3 else mask
