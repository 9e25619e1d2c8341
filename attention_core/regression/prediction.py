"""Predictions of kernel regression alone, without the weights: few pairs by softmax, many by kernel sums."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from attention_core.checks import check_width
from attention_core.data import Samples
from attention_core.kernels import kernel_named
from attention_core.pooling import checked, in_blocks
from attention_core.regression.local_linear import local_lines
from attention_core.regression.sums.kernel_sums import LINE, KernelSums, Part
from attention_core.regression.sums.pairs import LOG, queries_at
from attention_core.regression.sums.shapes import has_fast_sums

FEW_PAIRS = 2**19  # up to so many, a softmax over all of them takes about 2 ms: less than any cleverness
POWERS = {False: (0,), True: LINE}  # of the distances, that an average and a line are made of


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
    widths, found = check_width(width).view(1), kernel_named(kernel)
    if len(queries) * len(keys) <= FEW_PAIRS or not has_fast_sums(found):
        if linear:
            return local_lines(queries, keys, values, widths.item(), kernel)
        return in_blocks(queries, keys, values, widths.item(), found)
    return Predictions(Samples(keys, values), kernel).outputs(queries, widths, linear)[0]


class Predictions:
    """What samples predict at queries (Q,) for many widths (F,) at once; the averages of a picture may be float32."""

    def __init__(self, samples: Samples, kernel: str = "gaussian", dtype: torch.dtype = torch.float64) -> None:
        order, self.middle = samples.x.argsort(stable=True), samples.y.mean()
        columns = with_ones(samples.y[order] - self.middle)
        self.sums = KernelSums(samples.x[order], columns, kernel_named(kernel), dtype)

    def outputs(self, queries: Tensor, widths: Tensor, linear: bool = False) -> Tensor:
        """The predictions (F, Q); NaN where no key is in reach."""
        outputs = torch.empty(len(widths), len(queries), dtype=torch.float64)
        for part in self._parts(queries, widths, POWERS[linear]):
            outputs[part.widths[:, None], part.rows] = (heights(part) if linear else averages(part)).double()
        return outputs.add_(self.middle)

    def attended(self, queries: Tensor, widths: Tensor) -> tuple[Tensor, Tensor]:
        """The averages and the entropies of their weights, each (F, Q); NaN where no key is in reach.

        With weights a_i = e_i / sum e: -sum_i a_i log a_i = log sum e - (sum e log e) / sum e.
        """
        found = torch.empty(2, len(widths), len(queries), dtype=torch.float64)
        for part in self._parts(queries, widths, (0, LOG)):
            whole, logs = part.sums[..., 0].unbind(2)
            found[:, part.widths[:, None], part.rows] = torch.stack([averages(part), whole.log() - logs / whole])
        return found[0] + self.middle, found[1]

    def _parts(self, queries: Tensor, widths: Tensor, powers: Sequence[int]) -> Iterator[Part]:
        """The sums at the queries, whatever their order."""
        order = queries.argsort()
        for part in self.sums.parts(widths, powers, queries_at(queries[order], self.sums.keys)):
            yield part._replace(rows=order[part.rows])


def with_ones(values: Tensor) -> Tensor:
    """Columns (K, 2) for weights and weighted values."""
    return torch.stack([torch.ones_like(values), values], 1)


def averages(part: Part) -> Tensor:
    """The weighted means (f, m) from sums of ones and values; NaN where no key is in reach."""
    return part.sums[:, :, 0, 1] / part.sums[:, :, 0, 0]


def heights(part: Part) -> Tensor:
    """The heights (f, m) of local lines at the queries.

    With the mean m and variance s of -u under the weights, the line has the slope Cov(-u, y) / s and is mean(y) at m.
    """
    means = part.sums / part.sums[:, :, :1, :1]  # (f, m, 3, 2)
    output, mean = means[:, :, 0, 1], -means[:, :, 1, 0]
    spread = means[:, :, 2, 0] - mean.square()
    lean = part.shift - mean
    rise = (-means[:, :, 1, 1] - mean * output) / spread * lean
    return output + rise.where(spread > 1e-290 * lean.square(), 0.0)  # see `tilted`


def with_itself(part: Part, values: Tensor) -> Part:
    """The sums at points that were left out, with each of them, of values (n,), counted again; u from the point."""
    sums, shift = part.sums.clone(), part.shift[:, :, None]
    if sums.shape[2] == len(LINE):
        sums[:, :, 2] += shift * (2 * sums[:, :, 1] + shift * sums[:, :, 0])
        sums[:, :, 1] += shift * sums[:, :, 0]
    own = part.own[:, :, None]
    sums[:, :, 0] += own * with_ones(values[part.rows])
    return part._replace(sums=sums, shift=torch.zeros_like(part.shift))
