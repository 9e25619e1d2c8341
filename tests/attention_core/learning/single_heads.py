"""Several heads written as one would: single heads, one after another, and their mixture."""

from attention_core.learning.model import NWKernelRegression
from attention_core.pooling import Pooled


def mixed_weights(queries, keys, w, shares):
    """What all heads together attend to, (Q, K)."""
    heads = [NWKernelRegression(float(one))(queries, keys, keys).weights.detach() for one in w]
    return sum(share * head for share, head in zip(shares, heads, strict=True))


def predict_heads(queries, samples, w, shares):
    """The mixed prediction (Q,) and its weights (Q, K)."""
    weights = mixed_weights(queries, samples.x, w, shares)
    return Pooled(weights @ samples.y, weights)
