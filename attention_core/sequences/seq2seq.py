"""A GRU reads a string, a second GRU writes another, and attention tells the writer where to look.

Shapes: B batch, S source symbols, T target symbols, E embedding, H hidden, C context (2 H when read from both ends).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attention_core.checks import check_whole
from attention_core.sequences.vocabulary import BEGIN, MARKS, PADDING


@dataclass(frozen=True)
class Seq2SeqConfig:
    """The shape of the model."""

    source_symbols: int  # how many it reads, padding, begin and end included
    target_symbols: int  # how many it writes
    hidden: int = 32  # width of the GRU states and of the attention's tanh layer
    embedding: int = 8  # width of a symbol's vector
    bidirectional: bool = True  # read from both ends, as Bahdanau did; or from the left only
    attention: bool = True  # a new context for every symbol; or the encoder's last state as the context of all

    def __post_init__(self) -> None:
        check_whole("source symbols", self.source_symbols, len(MARKS) + 1, 1000)
        check_whole("target symbols", self.target_symbols, len(MARKS) + 1, 1000)
        check_whole("hidden", self.hidden, 1, 512)
        check_whole("embedding", self.embedding, 1, 512)

    @property
    def context(self) -> int:
        """Width of the encoder's states, which is the width of a context."""
        return 2 * self.hidden if self.bidirectional else self.hidden


class Memory(NamedTuple):
    """What the decoder may look at; it is the same for every symbol it writes."""

    states: Tensor  # (B, S, C) the encoder's states h_i
    keys: Tensor  # (B, S, H) their projection W_k h_i, made once
    padding: Tensor  # (B, S) 0 on symbols and -inf on padding, to be added to the scores
    last: Tensor  # (B, C) the encoder's last state, of each direction


class Look(NamedTuple):
    """One look at the memory."""

    scores: Tensor  # (..., S), -inf on padding; all 0 without attention
    weights: Tensor  # (..., S), sum to 1 and are 0 on padding; all 0 without attention
    context: Tensor  # (..., C)


class Decoded(NamedTuple):
    """What was written, and how: one row for each symbol."""

    logits: Tensor  # (B, T, symbols)
    weights: Tensor  # (B, T, S) the alignment
    scores: Tensor  # (B, T, S), -inf on padding
    contexts: Tensor  # (B, T, C)
    states: Tensor  # (B, T, H) of the decoder, s_1 ... s_T


class Encoder(nn.Module):
    """h_1 ... h_S: what a GRU knows at each symbol, from the left and, if bidirectional, from the right."""

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(config.source_symbols, config.embedding)
        self.gru = nn.GRU(config.embedding, config.hidden, batch_first=True, bidirectional=config.bidirectional)

    def forward(self, sources: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States (B, S, C), 0 on padding, and the last one of each direction side by side (B, C)."""
        # Packed, so that the reader from the right begins at the last symbol and not at the padding.
        packed = pack_padded_sequence(self.embedding(sources), lengths, batch_first=True, enforce_sorted=False)
        states, last = self.gru(packed)
        states, _ = pad_packed_sequence(states, batch_first=True, total_length=sources.shape[1])
        return states, last.transpose(0, 1).flatten(1)  # (directions, B, H) -> (B, C)


class Decoder(nn.Module):
    """s_t = GRU([y_{t-1}, c_t], s_{t-1}), and the next symbol from [s_t, c_t]."""

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(config.target_symbols, config.embedding)
        self.attention = _maps(config.hidden, config.context) if config.attention else None
        self.start = nn.Linear(config.context, config.hidden)  # s_0 = tanh(start(last))
        self.cell = nn.GRUCell(config.embedding + config.context, config.hidden)
        self.output = nn.Linear(config.hidden + config.context, config.target_symbols)

    def remember(self, states: Tensor, lengths: Tensor, last: Tensor) -> tuple[Memory, Tensor]:
        """The memory, and the state s_0 to begin with; the keys are projected here, once for all symbols."""
        beyond = torch.arange(states.shape[1]) >= lengths[:, None]  # (B, S)
        padding = torch.zeros(beyond.shape).masked_fill(beyond, -math.inf)
        keys = states @ self.attention["W_k"].mT if self.attention is not None else states
        return Memory(states, keys, padding, last), self.start(last).tanh()

    def look(self, state: Tensor, memory: Memory) -> Look:
        """e_i = a(s_{t-1}, h_i), alpha = softmax(e), c_t = sum_i alpha_i h_i; or the encoder's last state as c_t."""
        if self.attention is None:
            nothing = torch.zeros_like(memory.padding)
            return Look(nothing, nothing, memory.last)
        hidden = (state.unsqueeze(1) @ self.attention["W_q"].mT).unsqueeze(2) + memory.keys.unsqueeze(1)  # (B, 1, S, H)
        scores = (hidden.tanh() @ self.attention["w_v"]).squeeze(1) + memory.padding  # (B, S)
        weights = scores.softmax(-1)
        context = torch.bmm(weights.unsqueeze(1), memory.states).squeeze(1)  # (B, 1, S) @ (B, S, C) -> (B, C)
        return Look(scores, weights, context)

    def step(self, embedded: Tensor, state: Tensor, memory: Memory) -> tuple[Look, Tensor]:
        """Look, then s_t = GRU([y_{t-1}, c_t], s_{t-1}) for the embedded symbol before (B, E)."""
        look = self.look(state, memory)
        return look, self.cell(torch.cat([embedded, look.context], 1), state)

    def logits(self, states: Tensor, contexts: Tensor) -> Tensor:
        """Scores of the next symbol, (..., symbols), from states (..., H) and contexts (..., C)."""
        scores: Tensor = self.output(torch.cat([states, contexts], -1))
        return scores

    def forward(self, targets: Tensor, memory: Memory, state: Tensor) -> Decoded:
        """Teacher forcing: every symbol is predicted from the right ones before it."""
        before = torch.cat([torch.full_like(targets[:, :1], BEGIN), targets[:, :-1]], 1)  # (B, T)
        looks, states = [], []
        for embedded in self.embedding(before).unbind(1):
            look, state = self.step(embedded, state, memory)
            looks.append(look)
            states.append(state)
        return self.collected(looks, states)

    def collected(self, looks: Sequence[Look], states: Sequence[Tensor]) -> Decoded:
        """The steps of one string, or of a batch, side by side, with their logits."""
        scores, weights, contexts = (torch.stack(parts, 1) for parts in zip(*looks, strict=True))
        together = torch.stack(tuple(states), 1)  # (B, T, H)
        return Decoded(self.logits(together, contexts), weights, scores, contexts, together)


def _maps(hidden: int, context: int) -> nn.ParameterDict:
    """What the score w_v . tanh(W_q s + W_k h) learns, of states s and h of these widths; drawn by the model."""
    shapes = {"W_q": (hidden, hidden), "W_k": (hidden, context), "w_v": (hidden,)}
    return nn.ParameterDict([(name, nn.Parameter(torch.empty(shape))) for name, shape in shapes.items()])


class Seq2Seq(nn.Module):
    """Encoder and decoder; the weights are returned, never kept."""

    def __init__(self, config: Seq2SeqConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        self.encoder, self.decoder = Encoder(config), Decoder(config)
        # From a generator of its own: torch's is shared by every student in the process.
        generator, bound = torch.Generator().manual_seed(seed), 1 / math.sqrt(config.hidden)
        for name, parameter in self.named_parameters():
            if "embedding" in name:
                nn.init.normal_(parameter, generator=generator)
            else:
                nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def forward(self, sources: Tensor, targets: Tensor) -> Decoded:
        """Logits of the targets (B, T) with teacher forcing, for sources (B, S), padded."""
        memory, state = self.remember(sources, (sources != PADDING).sum(1))
        decoded: Decoded = self.decoder(targets, memory, state)
        return decoded

    def remember(self, sources: Tensor, lengths: Tensor) -> tuple[Memory, Tensor]:
        """Read the sources: the memory, and the decoder's first state."""
        states, last = self.encoder(sources, lengths)
        return self.decoder.remember(states, lengths, last)

    def writer(
        self, sources: Tensor, lengths: Tensor, steps: list[tuple[Look, Tensor]] | None = None
    ) -> Callable[[Tensor], Tensor]:
        """A function from the symbols so far (B, t) to the logits of the next one; `steps` gets its look and state."""
        memory, state = self.remember(sources, lengths)

        def next_logits(before: Tensor) -> Tensor:
            nonlocal state
            look, state = self.decoder.step(self.decoder.embedding(before[:, -1]), state, memory)
            if steps is not None:
                steps.append((look, state))
            return self.decoder.logits(state, look.context)  # (B, symbols)

        return next_logits
