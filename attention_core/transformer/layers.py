"""One layer of the Transformer's encoder and one of its decoder, each from the same three parts.

A part f is wrapped as norm(x + f(x)), as the paper did (post-norm), or as x + f(norm(x)), as most do since (pre-norm).
There is no dropout: the models here are small and never see a text twice.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from attention_core.masks import Lengths
from attention_core.transformer.multihead import MultiHeadAttention, from_torch, linear
from attention_core.transformer.recorder import NO_RECORDER, Recorder


class FeedForward(nn.Module):
    """W_2 relu(W_1 x + b_1) + b_2, the same for every row."""

    def __init__(self, width: int, hidden: int, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.inner, self.outer = linear(width, hidden, True, generator), linear(hidden, width, True, generator)

    def forward(self, rows: Tensor, recorder: Recorder = NO_RECORDER) -> Tensor:
        """Rows (..., width) -> (..., width)."""
        hidden = self.inner(rows).relu()  # (..., hidden)
        output: Tensor = self.outer(hidden)
        recorder.note("hidden", hidden)
        recorder.note("output", output)
        return output


class AddNorm(nn.Module):
    """A residual connection around a part: what comes in is added to what comes out, normed before or after."""

    def __init__(self, width: int, norm_first: bool = False) -> None:
        super().__init__()
        self.norm, self.norm_first = nn.LayerNorm(width), norm_first

    def before(self, rows: Tensor, recorder: Recorder = NO_RECORDER) -> Tensor:
        """What the part is given."""
        return self._normed(rows, recorder) if self.norm_first else rows

    def after(self, rows: Tensor, output: Tensor, recorder: Recorder = NO_RECORDER) -> Tensor:
        """What the next part is given, from the rows and the output of the part."""
        total = rows + output
        recorder.note("sum", total)
        return total if self.norm_first else self._normed(total, recorder)

    def _normed(self, rows: Tensor, recorder: Recorder) -> Tensor:
        normed: Tensor = self.norm(rows)
        recorder.note("norm", normed)
        return normed


class Encoded(NamedTuple):
    """What one encoder layer gives back."""

    rows: Tensor  # (B, S, width)
    weights: Tensor  # (B, H, S, S)


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward."""

    def __init__(
        self, width: int, heads: int, hidden: int, norm_first: bool = False, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(width, heads, generator=generator)
        self.feed_forward = FeedForward(width, hidden, generator)
        self.around_self, self.around_feed = AddNorm(width, norm_first), AddNorm(width, norm_first)

    def forward(self, rows: Tensor, lengths: Lengths = None, recorder: Recorder = NO_RECORDER) -> Encoded:
        """Rows (B, S, width) of these lengths look at each other."""
        here = recorder.under("self_attention")
        x = self.around_self.before(rows, here)
        attended = self.self_attention(x, x, x, lengths, recorder=here)
        rows = self.around_self.after(rows, attended.output, here)
        return Encoded(_fed(self.feed_forward, self.around_feed, rows, recorder), attended.weights)


class DecodedLayer(NamedTuple):
    """What one decoder layer gives back."""

    rows: Tensor  # (B, T, width)
    weights: Tensor  # (B, H, T, T) among what is written, 0 on what comes later
    cross: Tensor  # (B, H, T, S) from what is written to what was read


class DecoderLayer(nn.Module):
    """Self-attention that sees no later symbol, then attention to what the encoder read, then feed-forward."""

    def __init__(
        self, width: int, heads: int, hidden: int, norm_first: bool = False, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(width, heads, generator=generator)
        self.cross_attention = MultiHeadAttention(width, heads, generator=generator)
        self.feed_forward = FeedForward(width, hidden, generator)
        self.around_self, self.around_cross = AddNorm(width, norm_first), AddNorm(width, norm_first)
        self.around_feed = AddNorm(width, norm_first)

    def forward(
        self, rows: Tensor, memory: Tensor, lengths: Lengths = None, recorder: Recorder = NO_RECORDER
    ) -> DecodedLayer:
        """Rows (B, T, width) look back at each other and at a memory (B, S, width) of these lengths."""
        here = recorder.under("self_attention")
        x = self.around_self.before(rows, here)
        own = self.self_attention(x, x, x, causal=True, recorder=here)
        rows = self.around_self.after(rows, own.output, here)
        here = recorder.under("cross_attention")
        x = self.around_cross.before(rows, here)
        cross = self.cross_attention(x, memory, memory, lengths, recorder=here)
        rows = self.around_cross.after(rows, cross.output, here)
        return DecodedLayer(_fed(self.feed_forward, self.around_feed, rows, recorder), own.weights, cross.weights)


def _fed(feed_forward: FeedForward, around: AddNorm, rows: Tensor, recorder: Recorder) -> Tensor:
    """The rows after the feed-forward part and the way around it."""
    here = recorder.under("feed_forward")
    return around.after(rows, feed_forward(around.before(rows, here), here), here)


def encoder_layer_from_torch(other: nn.TransformerEncoderLayer) -> EncoderLayer:
    """The same layer with copies of torch's parameters; it must be batch_first, with relu."""
    inner = other.linear1
    mine = EncoderLayer(inner.in_features, other.self_attn.num_heads, inner.out_features, other.norm_first)
    mine = mine.to(inner.weight.dtype)  # before the copying: float64 must not go through float32
    mine.self_attention = from_torch(other.self_attn)
    _copy((mine.feed_forward.inner, mine.feed_forward.outer), (other.linear1, other.linear2))
    _copy((mine.around_self.norm, mine.around_feed.norm), (other.norm1, other.norm2))
    return mine


def decoder_layer_from_torch(other: nn.TransformerDecoderLayer) -> DecoderLayer:
    """The same layer with copies of torch's parameters; it must be batch_first, with relu."""
    inner = other.linear1
    mine = DecoderLayer(inner.in_features, other.self_attn.num_heads, inner.out_features, other.norm_first)
    mine = mine.to(inner.weight.dtype)  # before the copying: float64 must not go through float32
    mine.self_attention = from_torch(other.self_attn)
    mine.cross_attention = from_torch(other.multihead_attn)
    _copy((mine.feed_forward.inner, mine.feed_forward.outer), (other.linear1, other.linear2))
    norms = (mine.around_self.norm, mine.around_cross.norm, mine.around_feed.norm)
    _copy(norms, (other.norm1, other.norm2, other.norm3))
    return mine


def _copy(mine: tuple[nn.Module, ...], theirs: tuple[nn.Module, ...]) -> None:
    for my, their in zip(mine, theirs, strict=True):
        my.load_state_dict(their.state_dict())
