"""The Transformer: an encoder reads a string, a decoder writes another, and both are made of attention alone.

Shapes: B batch, S source symbols, T target symbols, N layers, H heads.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from attention_core.checks import InputError, check_whole
from attention_core.sequences.vocabulary import BEGIN, MARKS
from attention_core.transformer.layers import DecoderLayer, EncoderLayer
from attention_core.transformer.multihead import linear
from attention_core.transformer.positions import PositionalEncoding
from attention_core.transformer.recorder import NO_RECORDER, Recorder

MOST_SYMBOLS = 64  # positions in a string


@dataclass(frozen=True)
class TransformerConfig:
    """The shape of the model."""

    source_symbols: int  # how many it reads, padding, begin and end included
    target_symbols: int  # how many it writes
    width: int = 32  # of every row between the layers
    heads: int = 2  # of every attention
    encoder_layers: int = 1
    decoder_layers: int = 1
    hidden: int = 64  # width inside the feed-forward parts
    norm_first: bool = False  # pre-norm; or post-norm, as in the paper
    positions: bool = True  # whether a symbol's place is told

    def __post_init__(self) -> None:
        check_whole("source symbols", self.source_symbols, len(MARKS) + 1, 1000)
        check_whole("target symbols", self.target_symbols, len(MARKS) + 1, 1000)
        check_whole("width", self.width, 2, 512)
        check_whole("heads", self.heads, 1, self.width)
        check_whole("encoder layers", self.encoder_layers, 1, 12)
        check_whole("decoder layers", self.decoder_layers, 1, 12)
        check_whole("hidden", self.hidden, 1, 4096)
        if self.width % 2 or self.width % self.heads:
            raise InputError(f"width must be even and a multiple of the {self.heads} heads, not {self.width}.")


class Memory(NamedTuple):
    """What the encoder read; it is the same for every symbol that is written."""

    rows: Tensor  # (B, S, width)
    lengths: Tensor  # (B,)
    weights: Tensor  # (B, N, H, S, S) of the encoder


class Transformed(NamedTuple):
    """What the decoder says about each next symbol, and the weights of every layer and head."""

    logits: Tensor  # (B, T, symbols)
    encoder: Tensor  # (B, N, H, S, S); columns of padding are 0
    decoder: Tensor  # (B, N, H, T, T); 0 above the diagonal
    cross: Tensor  # (B, N, H, T, S); columns of padding are 0


class Reader(nn.Module):
    """Symbols to rows: sqrt(width) times their vectors, plus their positions."""

    def __init__(self, symbols: int, config: TransformerConfig, generator: torch.Generator) -> None:
        super().__init__()
        self.embedding = nn.Embedding(symbols, config.width)
        nn.init.normal_(self.embedding.weight, std=config.width**-0.5, generator=generator)
        self.positions = PositionalEncoding(config.width, MOST_SYMBOLS) if config.positions else None

    def forward(self, symbols: Tensor, recorder: Recorder = NO_RECORDER) -> Tensor:
        """Symbols (B, T) -> rows (B, T, width)."""
        embedded: Tensor = self.embedding(symbols) * math.sqrt(self.embedding.embedding_dim)
        recorder.note("symbols", symbols)
        recorder.note("embedded", embedded)
        placed = embedded if self.positions is None else self.positions(embedded, recorder)
        recorder.note("placed", placed)
        return placed


class Transformer(nn.Module):
    """Encoder and decoder; the weights are returned, never kept."""

    def __init__(self, config: TransformerConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        # A generator of its own: torch's is shared by every student in the process.
        generator = torch.Generator().manual_seed(seed)
        shape = (config.width, config.heads, config.hidden, config.norm_first, generator)
        self.source, self.target = (
            Reader(symbols, config, generator) for symbols in (config.source_symbols, config.target_symbols)
        )
        self.encoder = nn.ModuleList(EncoderLayer(*shape) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(*shape) for _ in range(config.decoder_layers))
        # Pre-norm layers hand on sums that were never normed, so one norm closes each stack.
        self.encoder_norm, self.decoder_norm = (
            nn.LayerNorm(config.width) if config.norm_first else nn.Identity() for _ in range(2)
        )
        self.output = linear(config.width, config.target_symbols, True, generator)

    def forward(
        self, sources: Tensor, lengths: Tensor, targets: Tensor, recorder: Recorder = NO_RECORDER
    ) -> Transformed:
        """Logits of the targets (B, T) with teacher forcing, for sources (B, S) of these lengths (B,)."""
        before = torch.cat([torch.full_like(targets[:, :1], BEGIN), targets[:, :-1]], 1)  # (B, T)
        return self.continued(before, self.remember(sources, lengths, recorder), recorder)

    def remember(self, sources: Tensor, lengths: Tensor, recorder: Recorder = NO_RECORDER) -> Memory:
        """Read the sources."""
        rows, weights = self.source(sources, recorder.under("source")), []
        for number, layer in enumerate(self.encoder):
            rows, seen = layer(rows, lengths, recorder.under(f"encoder.{number}"))
            weights.append(seen)
        rows = self.encoder_norm(rows)
        recorder.under("memory").note("output", rows)
        return Memory(rows, lengths, torch.stack(weights, 1))

    def continued(self, before: Tensor, memory: Memory, recorder: Recorder = NO_RECORDER) -> Transformed:
        """Logits of the next symbol after each of those before (B, T), which open with the begin symbol."""
        rows, own, cross = self.target(before, recorder.under("target")), [], []
        for number, layer in enumerate(self.decoder):
            rows, among, across = layer(rows, memory.rows, memory.lengths, recorder.under(f"decoder.{number}"))
            own.append(among)
            cross.append(across)
        rows = self.decoder_norm(rows)
        logits = self.output(rows)  # (B, T, symbols)
        last = recorder.under("next")
        for name, tensor in (("output", rows), ("logits", logits), ("probabilities", logits.softmax(-1))):
            last.note(name, tensor)
        return Transformed(logits, memory.weights, torch.stack(own, 1), torch.stack(cross, 1))

    def writer(
        self,
        sources: Tensor,
        lengths: Tensor,
        passes: list[Transformed] | None = None,
        recorder: Recorder = NO_RECORDER,
    ) -> Callable[[Tensor], Tensor]:
        """A function from the symbols so far (B, t) to the logits of the next one; `passes` gets all of each pass."""
        memory = self.remember(sources, lengths, recorder)

        def next_logits(before: Tensor) -> Tensor:
            passed = self.continued(before, memory, recorder)
            if passes is not None:
                passes.append(passed)
            return passed.logits[:, -1]  # (B, symbols)

        return next_logits
