"""One query, twelve keys, six scores: what softmax(score(q, k)) @ v becomes from chapter to chapter."""

import torch
from torch import Tensor

from attention_core.data import Samples, generate
from attention_core.pooling import Pooled, attend
from attention_core.scores import additive, drawn, gaussian, scaled_dot

KEYS = 12
CLOCKS = (1.0, 3.0)  # radians per unit of x: a slow hand and a fast one
HIDDEN, SEED = 8, 0  # of the additive score's network, which is not trained


def twelve() -> Samples:
    """The samples of d2l's experiment that lie nearest to twelve even places."""
    samples = generate()
    places = torch.linspace(0.25, 4.75, KEYS, dtype=torch.float64)
    nearest = (samples.x - places[:, None]).abs().argmin(1)  # (12,)
    return Samples(samples.x[nearest], samples.y[nearest])


def pooled_by_score(queries: Tensor, samples: Samples, w: float) -> dict[str, Pooled]:
    """What queries (Q,) get from the samples under each score: outputs (H, Q), weights (H, Q, K), H of them."""
    keys, values = samples
    vectors = clock_hands(queries), clock_hands(keys)  # (Q, D), (K, D)
    parameters = drawn("additive", vectors[0].shape[1], vectors[1].shape[1], HIDDEN, SEED)
    scores = {
        "average": torch.zeros(1, len(queries), len(keys), dtype=torch.float64),
        "gaussian": gaussian(queries[:, None], keys[:, None])[None],
        "learned_w": gaussian(w * queries[:, None], w * keys[:, None])[None],
        "additive": additive(*vectors, *parameters)[None],
        "scaled_dot": scaled_dot(*vectors)[None],
        "multihead": scaled_dot(*(cut(each, len(CLOCKS)) for each in vectors)),
    }
    return {name: attend(each, values) for name, each in scores.items()}


def clock_hands(x: Tensor) -> Tensor:
    """Every x (N,) as a vector (N, 2 * clocks): (cos x, sin x, cos 3x, sin 3x)."""
    angles = x[:, None] * torch.tensor(CLOCKS, dtype=x.dtype)  # (N, clocks)
    return torch.stack([angles.cos(), angles.sin()], -1).flatten(1)


def cut(vectors: Tensor, heads: int) -> Tensor:
    """Vectors (N, H * D) cut into heads (H, N, D)."""
    return vectors.view(len(vectors), heads, -1).transpose(0, 1)
