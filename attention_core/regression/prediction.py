"""Predictions of kernel regression alone, without the weights: few pairs by softmax, many by kernel sums."""

import torch
from torch import Tensor

from attention_core.checks import check_width
from attention_core.data import Samples
from attention_core.kernels import Kernel, kernel_named
from attention_core.pooling import checked, predict_in_blocks
from attention_core.regression.local_linear import local_lines
from attention_core.regression.sums.kernel_sums import FEW_PAIRS, Sums, has_fast_sums, kernel_sums
from attention_core.regression.sums.windows import WindowSums

# Below this share of the squared mean distance, the spread of the keys has lost too many digits for a line.
FEW_DIGITS = 1e-3


POWERS = {False: (0,), True: (0, 1, 2)}  # of the distances, that an average and a line are made of


def predict(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    width: float = 1.0,
    kernel: str = "gaussian",
    linear: bool = False,
) -> Tensor:
    """The output of `kernel_pool`, or of `local_linear`, for any number of pairs; NaN where no key is in reach."""
    queries, keys, values = checked(queries, keys, values)
    width, found = check_width(width).item(), kernel_named(kernel)
    if not worth_sums(len(queries) * len(keys), found):
        one_by_one = local_lines if linear else predict_in_blocks
        return one_by_one(queries, keys, values, width, kernel)
    order, middle = keys.argsort(stable=True), values.mean()
    exact = WindowSums(keys[order], with_ones(values - middle)[order], width, found, POWERS[linear])
    queries = queries.contiguous()
    known = kernel_sums(exact, queries)
    return (_lines(exact, known, queries, None) if linear else averages(known.at(queries))) + middle


def predict_points(samples: Samples, width: float, kernel: Kernel, linear: bool, leave_out: bool) -> Tensor:
    """The output at every point (n,) of sorted samples, from all the others or from all; NaN where none is in reach."""
    x, y = samples
    middle = y.mean()
    exact = WindowSums(x, with_ones(y - middle), width, kernel, POWERS[linear])
    known = kernel_sums(exact, x)
    if linear:
        return _lines(exact, known, x, torch.arange(len(x)) if leave_out else None) + middle
    return averages(known.left_out() if leave_out else known.at(x)) + middle


def worth_sums(pairs: int, kernel: Kernel) -> bool:
    """Whether kernel sums cost less than looking at so many pairs."""
    return pairs > FEW_PAIRS and has_fast_sums(kernel)


def with_ones(values: Tensor) -> Tensor:
    """Columns (K, 2) for weights and weighted values."""
    return torch.stack([torch.ones_like(values), values], 1)


def averages(sums: Tensor) -> Tensor:
    """The weighted means (Q,) from sums (Q, P, 2) of ones and values."""
    return sums[:, 0, 1] / sums[:, 0, 0]


def _lines(exact: WindowSums, known: Sums, queries: Tensor, left_out: Tensor | None) -> Tensor:
    """The heights (Q,) of local lines at the queries; one by one where the sums lack the digits for it."""
    if known is exact:
        return _heights(*exact.from_nearest(queries, left_out))[0]
    sums = known.at(queries) if left_out is None else known.left_out()
    output, spread = _heights(sums, torch.zeros_like(queries))
    weak = (~(spread > FEW_DIGITS * sums[:, 2, 0] / sums[:, 0, 0])).nonzero().squeeze(1)
    if len(weak):
        places = None if left_out is None else left_out[weak]
        output[weak] = _heights(*exact.from_nearest(queries[weak], places))[0]
    return output


def _heights(sums: Tensor, queries: Tensor) -> tuple[Tensor, Tensor]:
    """The heights of lines at the queries (Q,), in widths from where u is measured, and the spread of the keys.

    With the mean m and variance s of -u under the weights, the line has the slope Cov(-u, y) / s and is mean(y) at m.
    """
    means = sums / sums[:, :1, :1]  # (Q, 3, 2)
    output, mean = means[:, 0, 1], -means[:, 1, 0]
    spread = means[:, 2, 0] - mean.square()
    lean = (-means[:, 1, 1] - mean * output) / spread * (queries - mean)
    return output + lean.where(spread > 0, 0.0), spread
