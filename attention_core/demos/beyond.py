"""Where the analogy ends: four things that tell attention with projections of its own from a kernel, or do not.

What is stacked is the kernel's first, then attention's.
"""

import torch
from torch import Tensor

from attention_core.scores import bilinear, gaussian, scaled_dot

TokensAndMaps = tuple[Tensor, Tensor, Tensor]  # tokens (T, 4), W_q and W_k (4, 4)


def symmetry(drawn: TokensAndMaps) -> dict[str, Tensor]:
    """How much more one token looks at another than is returned."""
    tokens, W_q, W_k = drawn  # noqa: N806
    scores = both_scores(tokens, W_q, W_k)  # (2, queries, keys)
    trips = circulation(scores)
    return {"scores": scores, "excess": scores - scores.mT, "trips": trips}


def drawn_tokens(count: int, seed: int) -> TokensAndMaps:
    """Tokens, W_q and W_k from a seed; nothing is trained here."""
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randn(count, 4, dtype=torch.float64, generator=generator)
    W_q, W_k = torch.randn(2, 4, 4, dtype=torch.float64, generator=generator) / 2  # noqa: N806
    return tokens, W_q, W_k


def drawn_with_one_map(count: int, seed: int) -> TokensAndMaps:
    """The same tokens and W_q, which is W_k as well."""
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randn(count, 4, dtype=torch.float64, generator=generator)
    W_q, _ = torch.randn(2, 4, 4, dtype=torch.float64, generator=generator) / 2  # noqa: N806
    return tokens, W_q, W_q


def both_scores(tokens: Tensor, W_q: Tensor, W_k: Tensor) -> Tensor:  # noqa: N803
    """The Gaussian kernel of the tokens and their scaled dot products, (2, T, T)."""
    kernel = gaussian(tokens, tokens)
    queries, keys = tokens @ W_q.mT, tokens @ W_k.mT
    return torch.stack([kernel, scaled_dot(queries, keys)])


def circulation(scores: Tensor) -> Tensor:
    """max |A_ij + A_jk + A_ki| with A = S - S^T: 0 just when some symmetric kernel gives the same weights.

    Adding a number to a row of S leaves its weights alone but makes S asymmetric; round a triangle that cancels.
    """
    one_way = scores - scores.mT  # (..., T, T)
    round_trip = one_way[..., :, :, None] + one_way[..., None, :, :] + one_way.mT[..., :, None, :]  # (..., i, j, k)
    return round_trip.abs().amax((-3, -2, -1))


def previous_token(count: int, strength: float) -> dict[str, Tensor]:
    """Causal weights of tokens that are alike but for their place, and the mean weight on the token before."""
    places = torch.eye(count, dtype=torch.float64)
    before = places.roll(-1, 1)  # W_q turns place i into place i - 1, so a query looks for what it is not
    kernel = gaussian(places, places)
    scores = torch.stack([kernel, strength * before @ places.mT])  # to a kernel nothing is nearer than itself
    future = torch.ones(count, count, dtype=torch.bool).triu(1)
    weights = scores.masked_fill(future, -torch.inf).softmax(-1)  # (2, queries, keys)
    return {"weights": weights, "before": weights.diagonal(-1, 1, 2).mean(-1)}


def shuffled(count: int, seed: int) -> dict[str, Tensor]:
    """Shuffle the tokens: every token gets the answer it had, so order means nothing to either."""
    tokens, W_q, W_k = drawn_tokens(count, seed)  # noqa: N806
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed))  # the token now in each place
    before = both_scores(tokens, W_q, W_k).softmax(-1)  # (2, queries, keys)
    after = both_scores(tokens[order], W_q, W_k).softmax(-1)
    gaps = (after @ tokens[order] - (before @ tokens)[:, order]).abs().amax((1, 2))  # the tokens are the values too
    return {"order": order, "before": before, "after": after, "gaps": gaps}


def definiteness(count: int, seed: int) -> dict[str, Tensor]:
    """Similarities of points for W = I, the Gaussian, and W = diag(1, -1), with the smallest eigenvalue of each.

    A negative one: no features, however many, have these similarities as their dot products.
    """
    generator = torch.Generator().manual_seed(seed)
    points = 2 * torch.rand(count, 2, dtype=torch.float64, generator=generator) - 1  # in a square round 0
    metrics = torch.tensor([[[1, 0], [0, 1]], [[1, 0], [0, -1]]], dtype=torch.float64)
    similarities = similarity(points, metrics)  # (2, points, points)
    return {"similarities": similarities, "smallest": torch.linalg.eigvalsh(similarities)[:, 0]}


def similarity(points: Tensor, W: Tensor) -> Tensor:  # noqa: N803
    """exp(x^T W y) for symmetric W (..., D, D), scaled to a diagonal of 1, which keeps the signs of the eigenvalues."""
    scores = bilinear(points, points, W)  # (..., T, T)
    own = scores.diagonal(dim1=-2, dim2=-1) / 2
    return (scores - own[..., :, None] - own[..., None, :]).exp()
