"""Who may look where: two sentences under a mask, by masking, by the usual tricks and by torch; and d2l's example."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from attention_core.scores import scaled_dot

Lengths = Sequence[Sequence[int]]  # how many tokens of its sentence every query may see


def seen_by_length(lengths: Lengths) -> Tensor:
    """Who may look where, (sentences, queries, keys): at so many tokens from the first on."""
    return torch.arange(len(lengths[0])) < torch.tensor(lengths)[..., None]


def seen_so_far(lengths: Lengths) -> Tensor:
    """The same, but no query looks ahead."""
    seen = torch.arange(len(lengths[0])) < torch.tensor(lengths)[..., None]
    return seen.tril()


def masks(seen: Tensor, example_lengths: Sequence[int], seed: int) -> dict[str, Tensor]:
    """Self-attention of sentences under a mask; a token's value is its place."""
    tokens = torch.randn(*seen.shape[:2], 4, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    values = torch.arange(1, seen.shape[-1] + 1, dtype=torch.float64)
    scores = scaled_dot(tokens, tokens)  # (sentences, queries, keys)
    # exp(-inf) is 0: a hidden key gets no weight at all. A query that sees nothing would get 0 / 0; it gets zeros.
    weights = scores.masked_fill(~seen, -torch.inf).softmax(-1).nan_to_num(0.0)
    # The usual tricks do the same, but where a query sees nothing padding leaks in.
    leaked = scores.masked_fill(~seen, -1e6).softmax(-1)
    added = (scores.float() + -1e9 * (~seen).float()).softmax(-1)
    # With the unit vectors for values, torch's attention gives back its weights.
    torchs = scaled_dot_product_attention(tokens, tokens, torch.eye(len(values), dtype=torch.float64)[None], seen)
    averaging = equal_keys(example_lengths, seed)
    shown = {"seen": seen, "weights": weights, "output": weights @ values, "torchs": torchs, "added": added}
    shown |= {"leaked": leaked, "leaked_output": leaked @ values}
    shown |= {"example_weights": averaging, "example_output": averaging @ torch.arange(40.0).view(10, 4)}
    return shown


def equal_keys(lengths: Sequence[int], seed: int) -> Tensor:
    """d2l's example: additive attention over ten equal keys gives the plain average of the values that count."""
    generator = torch.Generator().manual_seed(seed)
    queries, keys = torch.randn(2, 20, generator=generator), torch.ones(2, 10, 2)  # one query for each of two batches
    shapes = (8, 20), (8, 2), (8,)
    W_q, W_k, w_v = (torch.empty(s).uniform_(-1, 1, generator=generator) / s[-1] ** 0.5 for s in shapes)  # noqa: N806
    fits = ((queries @ W_q.mT)[:, None] + keys @ W_k.mT).tanh() @ w_v
    return torch.softmax(fits.masked_fill(torch.arange(10) >= torch.tensor(lengths)[:, None], -torch.inf), -1)
