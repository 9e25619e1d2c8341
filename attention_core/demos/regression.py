"""What the lab computes: the prediction and the attention weights at one width."""

from torch import Tensor

from attention_core.data import Curve, Points
from attention_core.regression.local_linear import tilted


def regression(points: Points, queries: Tensor, width: float, log_kernel: Curve) -> dict[str, Tensor]:
    """Nadaraya-Watson: every prediction is an average of the values, weighted by how close their keys are."""
    keys, values = points
    scores = log_kernel((queries[:, None] - keys) / width)  # (queries, keys)
    weights = scores.softmax(-1)  # the scores are log K, so this is K / sum K: every row sums to 1
    output = weights @ values  # NaN for a query with no key in reach
    return {"keys": keys, "values": values, "queries": queries, "output": output, "weights": weights.nan_to_num(0.0)}


def weights_at(points: Points, queries: Tensor, widths: Tensor, log_kernel: Curve) -> dict[str, Tensor]:
    """The attention weights at several widths: the narrower, the fewer keys a query attends to."""
    keys, values = points
    scores = log_kernel((queries[:, None] - keys) / widths[:, None, None])  # (widths, queries, keys)
    return {"keys": keys, "values": values, "queries": queries, "weights": scores.softmax(-1)}


def local_lines(points: Points, queries: Tensor, width: float, log_kernel: Curve) -> dict[str, Tensor]:
    """A weighted line at every query instead of a weighted average; the attention tells how much each point counts."""
    keys, values = points
    attention = log_kernel((queries[:, None] - keys) / width).softmax(-1)  # (queries, keys)
    weights = tilted(attention, queries, keys)
    output = weights @ values  # NaN for a query with no key in reach
    shown = {"keys": keys, "values": values, "queries": queries, "output": output}
    shown |= {"weights": weights.nan_to_num(0.0), "attention": attention.nan_to_num(0.0)}
    return shown
