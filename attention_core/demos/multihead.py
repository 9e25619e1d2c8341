"""What several heads compute: kernels of different widths that are mixed, and multi-head attention on a few tokens."""

import math
from itertools import product

import torch
from torch import Tensor, nn

from attention_core.data import Curve, Points
from attention_core.transformer.multihead import merge, split

TokensAndMaps = tuple[Tensor, ...]  # tokens (B, T, H D) and the maps W_q, W_k, W_v, W_o, each (H D, H D)

MOST_LEFT_OUT = 1_000  # points: with more, leaving each of them out takes long


def mixture(
    points: Points, queries: Tensor, widths: Tensor, shares: Tensor, leave_one_out: bool, truth: Curve | None = None
) -> dict[str, Tensor]:
    """Every head is a Gaussian kernel of its own width; the shares, which may be negative, mix what they attend to."""
    keys, values = points
    heads = closeness(queries, keys, widths).softmax(-1)  # (heads, queries, keys)
    weights = torch.einsum("h,hqk->qk", shares, heads)  # every row sums to 1
    output = weights @ values
    shown = {"keys": keys, "values": values, "queries": queries, "heads": heads, "weights": weights, "output": output}
    if leave_one_out:
        others = closeness(keys, keys, widths)
        others.diagonal(dim1=1, dim2=2).fill_(-math.inf)  # every point is predicted from all the others
        shown = shown | {"loo_error": (shares @ (others.softmax(-1) @ values) - values).square().mean()}
    if truth:
        shown = shown | {"test_error": (output - truth(queries)).square().mean()}
    return shown


def closeness(queries: Tensor, keys: Tensor, widths: Tensor) -> Tensor:
    """The scores (heads, queries, keys) of Gaussian kernels of these widths (heads,)."""
    return -0.5 * ((queries[:, None] - keys) / widths[:, None, None]) ** 2


def best_shares(predictions: Tensor, values: Tensor, low: float, high: float) -> Tensor:
    """Shares (H,) that sum to 1, all but the second from low to high, with which the predictions (H, L) mixed are
    nearest to the values (L,): least squares, with every choice of shares that stand at an end."""
    base, ahead = predictions[1], torch.cat([predictions[:1], predictions[2:]])  # (L,), (H - 1, L)
    columns, target = (ahead - base).mT, values - base
    best, least = torch.zeros(len(ahead), dtype=values.dtype), math.inf
    for ends in product((math.nan, low, high), repeat=len(ahead)):
        shares = torch.tensor(ends, dtype=values.dtype)
        free, rest = shares.isnan(), target - columns @ shares.nan_to_num()
        shares[free] = columns[:, free].pinverse() @ rest
        error = (columns @ shares - target).square().mean().item()
        if error < least and shares.min() >= low and shares.max() <= high:
            best, least = shares, error
    return torch.cat([best[:1], 1 - best.sum(0, keepdim=True), best[1:]])


def drawn_layer(tokens: int, width: int, seed: int) -> TokensAndMaps:
    """Tokens and maps from one seed: the same for any number of heads, which only cut them otherwise."""
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randn(1, tokens, width, generator=generator).double()
    maps = [nn.init.xavier_uniform_(torch.empty(width, width), generator=generator).double() for _ in range(4)]
    maps[0] *= 3  # as training would: a fresh layer attends almost evenly
    return rows, *maps


def multihead(layer: TokensAndMaps, on: Tensor) -> dict[str, Tensor]:
    """Multi-head attention, with only those heads that are on, beside torch's own layer with the same numbers."""
    tokens, W_q, W_k, W_v, W_o = layer  # noqa: N806
    queries, keys, values = (split(tokens @ matrix.mT, len(on)) for matrix in (W_q, W_k, W_v))  # (B, H, T, D)
    scores = queries @ keys.mT / keys.shape[-1] ** 0.5
    weights = scores.softmax(-1)  # (B, H, T, T)
    heads, lit = weights @ values, on[:, None, None]  # (B, H, T, D), (H, 1, 1)
    whole = heads @ W_o.mT.unflatten(0, (len(on), -1))  # (B, H, T, H D): each head has its own rows of W_o
    merged, parts = merge(heads * lit), whole * lit  # (B, T, H D), (B, H, T, H D)
    output, full = merged @ W_o.mT, merge(heads) @ W_o.mT  # (B, T, H D)
    theirs, their_weights = torchs_own(layer, len(on))
    gap = torch.cat([(theirs - full).flatten(), (their_weights - weights).flatten()]).abs().max()
    return {
        "tokens": tokens, "queries": queries, "keys": keys, "values": values, "scores": scores, "weights": weights,
        "heads": heads, "merged": merged, "output": output, "full": full, "whole": whole, "parts": parts,
        "damage": (output - full).norm() / full.norm(), "remainder": (parts.sum(1) - output).abs().max(), "gap": gap,
    }  # fmt: skip


def torchs_own(layer: TokensAndMaps, heads: int) -> tuple[Tensor, Tensor]:
    """The output (B, T, H D) and the weights (B, H, T, T) of torch's own layer."""
    rows, *maps, last = layer
    made = nn.MultiheadAttention(rows.shape[-1], heads, bias=False, batch_first=True, dtype=rows.dtype)
    made.requires_grad_(False)
    made.in_proj_weight.copy_(torch.cat(maps))
    made.out_proj.weight.copy_(last)
    output, weights = made(rows, rows, rows, average_attn_weights=False)
    return output, weights
