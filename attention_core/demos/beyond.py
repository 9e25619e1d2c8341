"""Where the analogy ends: four things that tell attention with learned projections from a fixed kernel, or do not."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import check_number, check_whole
from attention_core.data import LAST_SEED
from attention_core.masks import masked_softmax
from attention_core.pooling import attend
from attention_core.scoring import bilinear, dot, gaussian, scaled_dot

FEWEST, MOST, WIDTH = 2, 64, 4  # tokens, and how wide they are
Scoring = Callable[[Tensor], Tensor]  # tokens (T, D) -> scores (T, T) of each with each


class Picture(NamedTuple):
    """A heatmap, queries down and keys across, and the one number to read from it."""

    matrix: Tensor  # (T, T)
    number: float


class Contrast(NamedTuple):
    """The same tokens under a fixed kernel and under attention."""

    kernel: Picture
    attention: Picture


def symmetry(count: int = 6, seed: int = 0, shared: bool = False) -> Contrast:
    """Scores S of the Gaussian and of (W_q x) . (W_k y) / sqrt(D), with max |S - S^T|; shared means W_k = W_q."""
    tokens, fixed, learned = _setting(count, seed, shared)
    return Contrast(*(Picture(s, asymmetry(s)) for s in (fixed(tokens), learned(tokens))))


def asymmetry(scores: Tensor) -> float:
    """max |S - S^T|: how much more one token looks at another than is returned."""
    return float((scores - scores.mT).abs().max())


def circulation(scores: Tensor) -> float:
    """max |A_ij + A_jk + A_ki| with A = S - S^T: 0 just when some symmetric kernel gives the same weights.

    Adding a number to a row of S leaves its weights alone but makes S asymmetric; round a triangle that cancels.
    """
    one_way = scores - scores.mT  # (T, T)
    round_trip = one_way[:, :, None] + one_way[None, :, :] + one_way.mT[:, None, :]  # (i, j, k)
    return float(round_trip.abs().max())


def previous_token(count: int = 6, strength: float = 8.0) -> Contrast:
    """Causal weights of tokens that are alike but for their place, and the mean weight on the token before.

    W_q turns place i into place i - 1, so a query looks for what it is not; under a kernel it is nearest to itself.
    """
    places = torch.eye(check_whole("count", count, FEWEST, MOST), dtype=torch.float64)  # (T, T): one-hot
    strength = check_number("strength", strength, 0, 100)
    before = places.roll(-1, 1)  # row i of X W_q^T is e_(i - 1)
    scores = gaussian(places, places), strength * dot(before, places)
    weights = (masked_softmax(s, causal=True) for s in scores)
    return Contrast(*(Picture(w, w.diagonal(-1).mean().item()) for w in weights))


class Shuffle(NamedTuple):
    """Weights before and after the tokens change places, and the largest change in what any token gets."""

    before: Tensor  # (T, T)
    after: Tensor  # (T, T): before[order][:, order]
    gap: float  # max |f(X[order]) - f(X)[order]|: 0, order means nothing to either


class Shuffled(NamedTuple):
    """Both, for the same order of the same tokens."""

    order: Tensor  # (T,): the token now in each place
    kernel: Shuffle
    attention: Shuffle


def shuffled(count: int = 6, seed: int = 0) -> Shuffled:
    """Shuffle the tokens: the outputs f(X) = softmax(S) X of kernel and attention alike are shuffled the same way."""
    tokens, fixed, learned = _setting(count, seed, shared=False)
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed))
    sides = []
    for score in (fixed, learned):
        before, after = attend(score(tokens), tokens), attend(score(tokens[order]), tokens[order])
        gap = (after.output - before.output[order]).abs().max().item()
        sides.append(Shuffle(before.weights, after.weights, gap))
    return Shuffled(order, sides[0], sides[1])


def definiteness(count: int = 8, seed: int = 0) -> Contrast:
    """Similarities of points in the plane for W = I, the Gaussian, and W = diag(1, -1), with the smallest eigenvalue.

    A negative one: no features, however many, have these similarities as their dot products.
    """
    check_whole("count", count, FEWEST, MOST)
    points = 2 * torch.rand(count, 2, dtype=torch.float64, generator=_seeded(seed)) - 1  # in a square round 0
    metrics = torch.eye(2, dtype=torch.float64), torch.diag(torch.tensor([1.0, -1.0], dtype=torch.float64))
    matrices = (similarity(points, metric) for metric in metrics)
    return Contrast(*(Picture(m, eigenvalues(m)[0].item()) for m in matrices))


def similarity(points: Tensor, W: Tensor) -> Tensor:  # noqa: N803
    """exp(x^T W y) for a symmetric W (D, D), scaled to a diagonal of 1, which keeps the signs of the eigenvalues."""
    scores = bilinear(points, points, W)  # (T, T)
    own = scores.diagonal() / 2
    return (scores - own[:, None] - own).exp()


def eigenvalues(matrix: Tensor) -> Tensor:
    """Of a symmetric matrix (T, T), ascending (T,)."""
    ascending: Tensor = torch.linalg.eigvalsh(matrix)
    return ascending


def _setting(count: int, seed: int, shared: bool) -> tuple[Tensor, Scoring, Scoring]:
    """Seeded tokens (T, D), the Gaussian score, and a dot-product score with projections W_q and W_k (D, D)."""
    check_whole("count", count, FEWEST, MOST)
    generator = _seeded(seed)
    tokens = torch.randn(count, WIDTH, dtype=torch.float64, generator=generator)
    W_q, W_k = torch.randn(2, WIDTH, WIDTH, dtype=torch.float64, generator=generator) / WIDTH**0.5  # noqa: N806
    W_k = W_q if shared else W_k  # noqa: N806
    return tokens, lambda x: gaussian(x, x), lambda x: scaled_dot(x @ W_q.mT, x @ W_k.mT)


def _seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(check_whole("seed", seed, 0, LAST_SEED))
