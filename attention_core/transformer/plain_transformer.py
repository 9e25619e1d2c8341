"""A Transformer in as few lines as training takes; `model` is the same, with every number to look at."""

import torch
from torch import Tensor, nn

from attention_core.sequences.vocabulary import BEGIN, PADDING


class Attention(nn.Module):
    """head_h = softmax((X W_q^h) (Y W_k^h)^T / sqrt(D)) (Y W_v^h), and the heads side by side times W_o."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x: Tensor, y: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """The output (B, rows, width) and the weights (B, heads, rows of x, rows of y), 0 where y is hidden."""
        projected = (self.W_q(x), self.W_k(y), self.W_v(y))
        q, k, v = (rows.unflatten(-1, (self.heads, -1)).transpose(1, 2) for rows in projected)  # (B, heads, rows, D)
        weights = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf).softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights


class Layer(nn.Module):
    """Attention among the rows, in a decoder also to what was read, then a small network for each row by itself."""

    def __init__(self, attentions: int, width: int, heads: int, hidden: int, norm_first: bool) -> None:
        super().__init__()
        self.attentions = nn.ModuleList(Attention(width, heads) for _ in range(attentions))
        self.inner, self.outer = nn.Linear(width, hidden), nn.Linear(hidden, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(attentions + 1))
        self.norm_first = norm_first  # or after the sum, as in the paper

    def forward(
        self, x: Tensor, hidden: Tensor, memory: Tensor | None = None, beyond: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """The rows (B, rows, width), and the weights of the last attention."""
        for place, attention in enumerate(self.attentions):
            rows = self.norms[place](x) if self.norm_first else x
            output, weights = attention(rows, memory if place else rows, beyond if place else hidden)
            x = x + output if self.norm_first else self.norms[place](x + output)
        rows = self.norms[-1](x) if self.norm_first else x
        output = self.outer(self.inner(rows).relu())
        return x + output if self.norm_first else self.norms[-1](x + output), weights


class Transformer(nn.Module):
    """Encoder and decoder, made of attention alone."""

    def __init__(
        self, read: int, written: int, width: int, heads: int, layers: int, hidden: int, norm_first: bool,
        positions: bool, seed: int,
    ) -> None:  # fmt: skip
        super().__init__()
        generator, shape = torch.Generator().manual_seed(seed), (width, heads, hidden, norm_first)
        self.source, self.target, self.positions = nn.Embedding(read, width), nn.Embedding(written, width), positions
        self.encoder = nn.ModuleList(Layer(1, *shape) for _ in range(layers))
        self.decoder = nn.ModuleList(Layer(2, *shape) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(width) if norm_first else nn.Identity() for _ in range(2))
        self.output = nn.Linear(width, written)
        for part in self.modules():
            if isinstance(part, nn.Embedding):
                nn.init.normal_(part.weight, std=width**-0.5, generator=generator)
            if isinstance(part, nn.Linear):  # begins as Glorot and Bengio advise
                nn.init.xavier_uniform_(part.weight, generator=generator)
                nn.init.zeros_(part.bias)

    def placed(self, embedding: nn.Embedding, symbols: Tensor) -> Tensor:
        """Vectors of the symbols, with sines and cosines of their places added."""
        width, places = embedding.embedding_dim, torch.arange(symbols.shape[1])[:, None]
        angles = places * 10_000 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
        waves = torch.stack([angles.sin(), angles.cos()], -1).flatten(1).float() * self.positions
        return embedding(symbols) * width**0.5 + waves  # type: ignore[no-any-return]

    def forward(self, sources: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Every symbol predicted from the right ones before it, and where all heads look in what was read."""
        rows, beyond = self.placed(self.source, sources), (sources == PADDING)[:, None, None]
        for layer in self.encoder:
            rows, _ = layer(rows, beyond)
        memory, looked = self.norms[0](rows), []
        before = torch.cat([torch.full_like(targets[:, :1], BEGIN), targets[:, :-1]], 1)
        rows, later = self.placed(self.target, before), torch.ones(before.shape[1], before.shape[1]).triu(1).bool()
        for layer in self.decoder:
            rows, weights = layer(rows, later, memory, beyond)
            looked.append(weights)
        return self.output(self.norms[1](rows)), torch.stack(looked, 1)
