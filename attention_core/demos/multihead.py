"""What several heads compute: kernels of different widths that are mixed, and multi-head attention on a few tokens."""

import math
from itertools import product

import torch
from torch import Tensor, nn

from attention_core.data import Curve, Points

TokensAndMaps = tuple[Tensor, ...]  # tokens (B, T, H D) and the maps W_q, W_k, W_v, W_o, each (H D, H D)

MOST_LEFT_OUT = 1_000  # points: with more, leaving each of them out takes long


def mixture(points: Points, queries: Tensor, widths: Tensor, shares: Tensor) -> dict[str, Tensor]:
    """Every head is a Gaussian kernel of its own width; the shares, which may be negative, mix what they attend to."""
    keys, values = points
    heads = head_weights(queries, keys, widths)  # (heads, queries, keys)
    weights = torch.einsum("h,hqk->qk", shares, heads)  # every row sums to 1
    shown = {"keys": keys, "values": values, "queries": queries, "heads": heads, "weights": weights}
    shown |= {"output": weights @ values}
    return shown


def mixture_left_out(points: Points, queries: Tensor, widths: Tensor, shares: Tensor) -> dict[str, Tensor]:
    """The mixture, and how well it predicts every point from all the others."""
    keys, values = points
    heads = head_weights(queries, keys, widths)  # (heads, queries, keys)
    weights = torch.einsum("h,hqk->qk", shares, heads)  # every row sums to 1
    loo_error = left_out_error(keys, values, widths, shares)
    shown = {"keys": keys, "values": values, "queries": queries, "heads": heads, "weights": weights}
    shown |= {"output": weights @ values, "loo_error": loo_error}
    return shown


def mixture_judged(points: Points, queries: Tensor, widths: Tensor, shares: Tensor, truth: Curve) -> dict[str, Tensor]:
    """Every head is a Gaussian kernel of its own width; the shares, which may be negative, mix what they attend to."""
    keys, values = points
    heads = head_weights(queries, keys, widths)  # (heads, queries, keys)
    weights = torch.einsum("h,hqk->qk", shares, heads)  # every row sums to 1
    output = weights @ values
    loo_error = left_out_error(keys, values, widths, shares)
    test_error = (output - truth(queries)).square().mean()
    shown = {"keys": keys, "values": values, "queries": queries, "heads": heads, "weights": weights, "output": output}
    shown |= {"loo_error": loo_error, "test_error": test_error}
    return shown


def head_weights(queries: Tensor, keys: Tensor, widths: Tensor) -> Tensor:
    """The attention weights (heads, queries, keys) of Gaussian kernels of these widths (heads,)."""
    return (-0.5 * ((queries[:, None] - keys) / widths[:, None, None]) ** 2).softmax(-1)


def left_out_error(keys: Tensor, values: Tensor, widths: Tensor, shares: Tensor) -> Tensor:
    """The mean squared error of every point, predicted by all heads from all the other points."""
    scores = -0.5 * ((keys[:, None] - keys) / widths[:, None, None]) ** 2  # (heads, points, points)
    scores.diagonal(dim1=1, dim2=2).fill_(-torch.inf)  # no point attends to itself
    return (shares @ (scores.softmax(-1) @ values) - values).square().mean()


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


def best_shares_in_steps(predictions: Tensor, values: Tensor, low: float, high: float, step: float) -> Tensor:
    """The shares (H,) with the smallest error of those in steps around the best ones, and of every head alone."""
    heads, exact = len(predictions), best_shares(predictions, values, low, high)
    below = (torch.cat([exact[:1], exact[2:]]) / step).floor()  # (H - 1,)
    around = torch.cartesian_prod(*torch.stack([below, below + 1], 1)).reshape(-1, heads - 1) * step
    tried = torch.cat([around.clamp(low, high), torch.eye(heads)[:, torch.arange(heads) != 1]])
    shares = torch.cat([tried[:, :1], 1 - tried.sum(1, keepdim=True), tried[:, 1:]], 1)
    return shares[mean_squares(shares, predictions, values).argmin()]


def mean_squares(shares: Tensor, predictions: Tensor, values: Tensor) -> Tensor:
    """The mean squared error (F,) of the predictions (H, L) under each of these shares (F, H)."""
    return (shares @ predictions - values).square().mean(-1)


def mixed(shares: Tensor, weights: Tensor) -> Tensor:
    """The weights (F, Q, G) of all heads together, from those of each (H, Q, G) and their shares (F, H)."""
    return torch.einsum("fh,hqg->fqg", shares, weights)


def drawn_layer(tokens: int, width: int, seed: int) -> TokensAndMaps:
    """Tokens and maps from one seed: the same for any number of heads, which only cut them otherwise."""
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randn(1, tokens, width, generator=generator).double()
    drawn = [nn.init.xavier_uniform_(torch.empty(width, width), generator=generator).double() for _ in range(4)]
    return rows, 3 * drawn[0], *drawn[1:]  # 3: a fresh layer attends almost evenly


def multihead(layer: TokensAndMaps, on: Tensor) -> dict[str, Tensor]:
    """Multi-head attention, with only those heads that are on, beside torch's own layer with the same numbers."""
    tokens, W_q, W_k, W_v, W_o = layer  # noqa: N806
    projected = [tokens @ matrix.mT for matrix in (W_q, W_k, W_v)]  # (B, T, H D) each
    queries, keys, values = (rows.unflatten(-1, (len(on), -1)).transpose(1, 2) for rows in projected)  # (B, H, T, D)
    scores = queries @ keys.mT / keys.shape[-1] ** 0.5
    weights = scores.softmax(-1)  # (B, H, T, T)
    heads, lit = weights @ values, on[:, None, None]  # (B, H, T, D), (H, 1, 1)
    whole = heads @ W_o.mT.unflatten(0, (len(on), -1))  # (B, H, T, H D): each head has its own rows of W_o
    merged, parts = (heads * lit).transpose(1, 2).flatten(2), whole * lit  # (B, T, H D), (B, H, T, H D)
    output, full = merged @ W_o.mT, heads.transpose(1, 2).flatten(2) @ W_o.mT  # (B, T, H D)
    torchs = nn.MultiheadAttention(tokens.shape[-1], len(on), bias=False, batch_first=True, dtype=tokens.dtype)
    torchs.load_state_dict({"in_proj_weight": torch.cat([W_q, W_k, W_v]), "out_proj.weight": W_o})
    theirs, their_weights = torchs.requires_grad_(False)(tokens, tokens, tokens, average_attn_weights=False)
    gap = torch.cat([(theirs - full).flatten(), (their_weights - weights).flatten()]).abs().max()
    shown = {"tokens": tokens, "queries": queries, "keys": keys, "values": values, "scores": scores, "weights": weights}
    shown |= {"heads": heads, "merged": merged, "output": output, "full": full, "whole": whole, "parts": parts}
    damage, remainder = (output - full).norm() / full.norm(), (parts.sum(1) - output).abs().max()
    shown |= {"damage": damage, "remainder": remainder, "gap": gap}
    return shown
