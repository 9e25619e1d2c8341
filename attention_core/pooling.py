"""The one equation: output = softmax(scores) @ values.

Shapes, here and everywhere: B batch, H heads, F frames, Q queries, K keys, D key width, V value width.
Weights are always (Q, K): queries down, keys across, every row sums to 1.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import check_same_length, check_vector, check_width
from attention_core.data import Curve
from attention_core.kernels import kernel_named

# Scores computed at once by `predict_in_blocks`: 512 kB of float64 stays in the cache; measured best of 2^12 to 2^18.
BLOCK = 2**16


class Pooled(NamedTuple):
    """What attention gives back: the averages, and the weights they were taken with."""

    output: Tensor  # (..., Q) or (..., Q, V); NaN where no key is in reach
    weights: Tensor  # (..., Q, K); a row sums to 1, or is all 0 where no key is in reach


def attend(scores: Tensor, values: Tensor) -> Pooled:
    """Average the values under softmax(scores): Nadaraya-Watson when the scores are log-kernels.

    A score of -inf gives no weight. Values are (K,), (..., K) or (..., K, V).
    """
    weights = scores.softmax(-1)  # (..., Q, K)
    scalar = values.ndim == 1 or values.ndim < scores.ndim
    output = weights @ (values.unsqueeze(-1) if scalar else values)  # (..., Q, V); NaN where all scores are -inf
    reached = scores.amax(-1, keepdim=True) > -math.inf  # (..., Q, 1)
    if not reached.all():
        weights, output = weights.where(reached, 0.0), output.where(reached, math.nan)
    return Pooled(output.squeeze(-1) if scalar else output, weights)


def average(queries: Tensor, keys: Tensor, values: Tensor) -> Pooled:
    """Average pooling: every query gets the mean of all values, whatever its keys."""
    return kernel_pool(queries, keys, values, kernel="constant")


def kernel_pool(
    queries: Tensor, keys: Tensor, values: Tensor, width: float | Tensor = 1.0, kernel: str = "gaussian"
) -> Pooled:
    """Nadaraya-Watson: sum_i K((q - k_i) / width) v_i / sum_j K((q - k_j) / width).

    A width of shape (F, 1, 1) pools F times at once: output (F, Q), weights (F, Q, K).
    """
    queries, keys, values = checked(queries, keys, values)
    scores = kernel_named(kernel)((queries[:, None] - keys) / check_width(width))  # (..., Q, K)
    return attend(scores, values)


def predict_in_blocks(
    queries: Tensor, keys: Tensor, values: Tensor, width: float = 1.0, kernel: str = "gaussian"
) -> Tensor:
    """The output of `kernel_pool` alone, in row blocks: memory stays at one block, the answer is the same."""
    return in_blocks(*checked(queries, keys, values), check_width(width).item(), kernel_named(kernel))


def in_blocks(queries: Tensor, keys: Tensor, values: Tensor, width: float, log_kernel: Curve) -> Tensor:
    """The same of what is checked already."""
    if len(queries) * len(keys) <= BLOCK:
        return torch.mv(log_kernel((queries[:, None] - keys).div_(width)).softmax(-1), values)
    output = torch.empty_like(queries)
    rows = min(len(queries), max(1, BLOCK // len(keys)))
    # One block, written over and over: fresh memory for every block would cost more than the arithmetic.
    block = torch.empty(rows, len(keys), dtype=queries.dtype)
    for start in range(0, len(queries), rows):
        here = slice(start, min(start + rows, len(queries)))
        u = torch.sub(queries[here, None], keys, out=block[: here.stop - start]).div_(width)  # (rows, K)
        weights = torch.softmax(log_kernel(u), -1, out=u)  # a row without a key in reach is NaN
        torch.mv(weights, values, out=output[here])
    return output


def checked(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries (Q,), keys (K,) and values (K,) as finite float64, or an InputError."""
    queries, keys, values = (
        check_vector("queries", queries),
        check_vector("keys", keys),
        check_vector("values", values),
    )
    check_same_length("keys", keys, "values", values)
    return queries, keys, values
