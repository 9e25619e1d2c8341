"""The analogy, exactly: a Gaussian smoother is dot-product attention whose keys have one coordinate more."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from attention_core.checks import check_width
from attention_core.pooling import Pooled, checked


class Augmented(NamedTuple):
    """Kernel regression as torch's own attention sees it."""

    pooled: Pooled  # output (Q,), weights (Q, K)
    queries: Tensor  # (Q, 2): q' = (q / width^2, 1)
    keys: Tensor  # (K, 2): k' = (k, -k^2 / (2 width^2))
    center: float  # what was taken off every q and k first


def as_dot_product(queries: Tensor, keys: Tensor, values: Tensor, width: float = 1.0) -> Augmented:
    """Nadaraya-Watson by torch's own attention: q' . k' = q k / width^2 - k^2 / (2 width^2).

    That is -(q - k)^2 / (2 width^2) + q^2 / (2 width^2); softmax cancels the last term, the same for all keys.
    """
    queries, keys, values = checked(queries, keys, values)
    square = check_width(width).square()
    # Distances do not care where 0 is, but the squares do: far from it their difference would lose its digits.
    center = keys.min() / 2 + keys.max() / 2
    q, k = queries - center, keys - center
    asking = torch.stack([q / square, torch.ones_like(q)], -1)  # (Q, 2)
    offered = torch.stack([k, k.square() / (-2 * square)], -1)  # (K, 2)
    output = scaled_dot_product_attention(asking[None], offered[None], values[None, :, None], scale=1.0)  # (1, Q, 1)
    weights = (asking @ offered.mT).softmax(-1)  # (Q, K)
    return Augmented(Pooled(output[0, :, 0], weights), asking, offered, center.item())
