"""The analogy, exactly: a Gaussian smoother is dot-product attention whose keys have one coordinate more."""

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from attention_core.data import Points


def smoother_as_attention(points: Points, queries: Tensor, width: float) -> dict[str, Tensor]:
    """Nadaraya-Watson, and the same by torch's own attention: q' = (q / width^2, 1), k' = (k, -k^2 / (2 width^2)).

    q' . k' is the log of the kernel plus q^2 / (2 width^2), which is the same for all keys: softmax does not see it.
    """
    keys, values = points
    kernel = (-0.5 * ((queries[:, None] - keys) / width) ** 2).softmax(-1) @ values
    center = keys.min() / 2 + keys.max() / 2  # far from 0 the difference of squares would lose its digits
    q, k = queries - center, keys - center
    asking = torch.stack([q / width**2, torch.ones_like(q)], -1)  # (queries, 2)
    offered = torch.stack([k, -k.square() / (2 * width**2)], -1)  # (keys, 2)
    attention = scaled_dot_product_attention(asking[None], offered[None], values[None, :, None], scale=1.0)[0, :, 0]
    return {"queries": queries, "asking": asking, "offered": offered, "kernel": kernel, "attention": attention}
