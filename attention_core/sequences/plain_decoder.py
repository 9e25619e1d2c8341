"""Bahdanau's decoder in as few lines as training takes; `seq2seq` is the same, with every number to look at."""

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attention_core.sequences.vocabulary import BEGIN, PADDING


class Decoder(nn.Module):
    """A GRU reads, a GRU writes, and attention between them tells the writer where to look."""

    def __init__(self, read: int, written: int, hidden: int, embedding: int, seed: int) -> None:
        super().__init__()
        self.read = nn.Embedding(read, embedding)
        self.encoder = nn.GRU(embedding, hidden, batch_first=True, bidirectional=True)
        self.write = nn.Embedding(written, embedding)
        self.W_q, self.W_k = nn.Linear(hidden, hidden, bias=False), nn.Linear(2 * hidden, hidden, bias=False)
        self.w_v = nn.Linear(hidden, 1, bias=False)
        self.start = nn.Linear(2 * hidden, hidden)
        self.cell = nn.GRUCell(embedding + 2 * hidden, hidden)
        self.output = nn.Linear(3 * hidden, written)
        generator, bound = torch.Generator().manual_seed(seed), 1 / hidden**0.5
        for name, parameter in self.named_parameters():
            if name in ("read.weight", "write.weight"):
                nn.init.normal_(parameter, generator=generator)
            else:
                nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def forward(self, sources: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Every symbol predicted from the right ones before it: logits (B, T, symbols) and weights (B, T, S)."""
        lengths = (sources != PADDING).sum(1)
        packed = pack_padded_sequence(self.read(sources), lengths, batch_first=True, enforce_sorted=False)
        states, last = self.encoder(packed)
        states, _ = pad_packed_sequence(states, batch_first=True)
        keys = states @ self.W_k.weight.mT
        padding = torch.zeros(sources.shape).masked_fill(sources == PADDING, -torch.inf)
        state, seen = self.start(last.transpose(0, 1).flatten(1)).tanh(), []
        before = torch.cat([torch.full_like(targets[:, :1], BEGIN), targets[:, :-1]], 1)
        for embedded in self.write(before).unbind(1):
            # e_i = w_v . tanh(W_q s + W_k h_i), weights = softmax(e), context = sum_i weight_i h_i; then the next s
            hidden = (state[:, None] @ self.W_q.weight.mT)[:, :, None] + keys[:, None]  # (B, 1, S, H)
            weights = ((hidden.tanh() @ self.w_v.weight[0])[:, 0] + padding).softmax(-1)  # (B, S)
            context = torch.bmm(weights[:, None], states)[:, 0]
            state = self.cell(torch.cat([embedded, context], 1), state)
            seen.append((state, context, weights))
        written, contexts, alignment = (torch.stack(parts, 1) for parts in zip(*seen, strict=True))
        return self.output(torch.cat([written, contexts], -1)), alignment
