"""Who may look where: two sentences under a mask, by masking, by the usual tricks and by torch; and d2l's example."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from attention_core.scores import additive, scaled_dot

TOKENS, WIDTH = 6, 4  # of a sentence, padding included, and how wide each is


def masks(
    lengths: Sequence[Sequence[int]], causal: bool, example_lengths: Sequence[int], seed: int
) -> dict[str, Tensor]:
    """Two masked sentences, and d2l's example."""
    return masked_sentences(lengths, causal, seed) | equal_keys(example_lengths, seed)


def masked_sentences(lengths: Sequence[Sequence[int]], causal: bool, seed: int) -> dict[str, Tensor]:
    """Self-attention of two sentences, given how many tokens each query may see; a token's value is its place."""
    tokens = torch.randn(2, TOKENS, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    values = torch.arange(1, TOKENS + 1, dtype=torch.float64)
    scores = scaled_dot(tokens, tokens)  # (sentences, queries, keys)
    seen = torch.arange(TOKENS) < torch.tensor(lengths)[..., None]
    if causal:
        seen = seen & torch.ones_like(seen).tril()  # no query looks ahead
    # exp(-inf) is 0: a hidden key gets no weight at all. A query that sees nothing would get 0 / 0; it gets zeros.
    weights = scores.masked_fill(~seen, -math.inf).softmax(-1).nan_to_num(0.0)
    # The usual tricks do the same, but where a query sees nothing padding leaks in.
    leaked = scores.masked_fill(~seen, -1e6).softmax(-1)
    added = (scores.float() + -1e9 * (~seen).float()).softmax(-1)
    # With the unit vectors for values, torch's attention gives back its weights.
    units = torch.eye(TOKENS, dtype=torch.float64).expand(2, -1, -1)
    torchs = scaled_dot_product_attention(tokens, tokens, units, seen)
    shown = {"seen": seen, "weights": weights, "output": weights @ values, "torchs": torchs}
    return shown | {"leaked": leaked, "leaked_output": leaked @ values, "added": added}


def equal_keys(lengths: Sequence[int], seed: int) -> dict[str, Tensor]:
    """d2l's example: additive attention over ten equal keys gives the plain average of the values that count."""
    generator = torch.Generator().manual_seed(seed)
    queries = torch.randn(2, 1, 20, generator=generator)  # one query for each of two batches
    keys, values = torch.ones(2, 10, 2), torch.arange(40.0).view(10, 4)
    shapes = (8, 20), (8, 2), (8,)  # of W_q, W_k and w_v
    parameters = [torch.empty(s).uniform_(-1, 1, generator=generator) / math.sqrt(s[-1]) for s in shapes]
    counted = torch.arange(10) < torch.tensor(lengths)[:, None]  # (batches, keys)
    weights = additive(queries, keys, *parameters)[:, 0].masked_fill(~counted, -math.inf).softmax(-1)
    return {"example_weights": weights, "example_output": weights @ values}
