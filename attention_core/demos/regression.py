"""What the lab computes: the prediction and the attention weights at one width."""

import torch
from torch import Tensor

from attention_core.data import Curve, Points
from attention_core.progress import pause
from attention_core.regression.local_linear import tilted


def regression(points: Points, queries: Tensor, width: float, log_kernel: Curve) -> dict[str, Tensor]:
    """Nadaraya-Watson: every prediction is an average of the values, weighted by how close their keys are."""
    keys, values = points
    scores = log_kernel((queries[:, None] - keys) / width)  # (queries, keys)
    weights = scores.softmax(-1)  # the scores are log K, so this is K / sum K: every row sums to 1
    output = weights @ values  # NaN for a query with no key in reach
    return {"keys": keys, "values": values, "queries": queries, "output": output, "weights": weights.nan_to_num(0.0)}


def regression_in_groups(
    points: Points, queries: Tensor, width: float, log_kernel: Curve, size: int
) -> dict[str, Tensor]:
    """The same of many points, one query after the other; a column of weights adds up those of `size` neighbours."""
    keys, values = points
    output, weights = torch.empty_like(queries), []
    for row, query in enumerate(queries):
        attention = log_kernel((query - keys) / width).softmax(-1)  # (keys,)
        output[row] = attention @ values  # NaN for a query with no key in reach
        weights.append(added_up(attention, size))
        pause()
    columns = torch.stack(weights).nan_to_num(0.0)
    return {"keys": keys, "values": values, "queries": queries, "output": output, "weights": columns}


def local_lines_in_groups(
    points: Points, queries: Tensor, width: float, log_kernel: Curve, size: int
) -> dict[str, Tensor]:
    """A weighted line at every query, of many points, with the weights of `size` neighbours added up."""
    keys, values = points
    output, weights = torch.empty_like(queries), []
    for row, query in enumerate(queries):
        attention = log_kernel((query - keys) / width).softmax(-1)  # (keys,)
        leaning = tilted(attention, query, keys)
        output[row] = leaning @ values  # NaN for a query with no key in reach
        weights.append(added_up(leaning, size))
        pause()
    columns = torch.stack(weights).nan_to_num(0.0)
    return {"keys": keys, "values": values, "queries": queries, "output": output, "weights": columns}


def added_up(weights: Tensor, size: int) -> Tensor:
    """Weights (keys,) added up over groups of so many neighbours; the last one may be smaller."""
    return torch.nn.functional.pad(weights, (0, -len(weights) % size)).view(-1, size).sum(-1)


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
