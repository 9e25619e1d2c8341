"""From the Gaussian kernel to the dot product: put the keys on a sphere, and the two are one.

-|q - k|^2 / 2 = q . k - |q|^2 / 2 - |k|^2 / 2: in a softmax over the keys |q|^2 cancels always, |k|^2 when all keys are
equally long.
"""

import torch
from torch import Tensor
from torch.nn.functional import normalize

from attention_core.scores import dot, gaussian


def morph(queries: Tensor, keys: Tensor, share: float | Tensor) -> dict[str, Tensor]:
    """Weights of both scores when the keys have gone a share of the way to the unit sphere.

    Softmax sees no |q|, the same for all keys, and on the sphere no |k|. Shares (F, 1, 1) give F frames at once.
    """
    keys = towards_sphere(keys, share)
    near = gaussian(queries, keys).softmax(-1)  # (queries, keys)
    along = dot(queries, keys).softmax(-1)
    apart = (near - along).abs()
    shown = {"queries": queries, "keys": keys, "gaussian": near, "dot": along, "apart": apart}
    shown |= {"difference": apart.amax((-2, -1))}
    return shown


def morph_both(queries: Tensor, keys: Tensor, share: float | Tensor) -> dict[str, Tensor]:
    """The same when queries and keys have gone a share of the way."""
    return morph(towards_sphere(queries, share), keys, share)


def towards_sphere(vectors: Tensor, share: float | Tensor) -> Tensor:
    """Move vectors straight towards the unit sphere: v at share 0, v / |v| at share 1."""
    return (1 - share) * vectors + share * normalize(vectors, dim=-1)


def scattered(count: int, seed: int, width: int = 2) -> Tensor:
    """Vectors (count, width) in all directions, 0.4 to 2 long: on both sides of the unit sphere."""
    generator = torch.Generator().manual_seed(seed)
    directions = torch.randn(count, width, dtype=torch.float64, generator=generator)
    lengths = torch.rand(count, 1, dtype=torch.float64, generator=generator)
    return normalize(directions, dim=-1) * (0.4 + 1.6 * lengths)
