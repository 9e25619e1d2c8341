"""Kernel sums of any kernel, by whichever way costs least."""

import math
from collections.abc import Callable, Sequence
from typing import Protocol

from torch import Tensor

from attention_core.data import Curve
from attention_core.kernels import Kernel, cauchy, gaussian, laplace
from attention_core.regression.sums.cauchy import CauchySums
from attention_core.regression.sums.compact import POLYNOMIALS, PolynomialSums
from attention_core.regression.sums.gaussian import GaussianSums
from attention_core.regression.sums.laplace import LaplaceSums
from attention_core.regression.sums.windows import WindowSums, nearest_key

FEW_PAIRS = 2**19  # up to so many, a softmax over all of them takes about 2 ms: less than any cleverness
# What a pair in a window costs, and a point in cells, measured: cells win from 100 keys in a window on.
PAIR, POINT = 0.02, 1.0  # microseconds


class Sums(Protocol):
    """Sums over sorted keys (K,) of a kernel of one width times columns (K, C), the first of which is all ones."""

    def at(self, queries: Tensor) -> Tensor:
        """sum_i K(u_i) u_i^p column_i with u = (q - k) / width, times a factor of each query's own: (Q, P, C).

        The factor is such that ratios of sums keep their digits far from all keys. All are 0 where no key is in reach.
        """

    def left_out(self) -> Tensor:
        """The same at every key, without the key itself."""


SMOOTH: dict[Curve, Callable[[Tensor, Tensor, float, Sequence[int]], Sums]] = {
    gaussian: GaussianSums,
    cauchy: CauchySums,
    laplace: LaplaceSums,
}


def has_fast_sums(kernel: Kernel) -> bool:
    """Whether the sums of this kernel cost less than all pairs of queries and keys."""
    return kernel.log in SMOOTH or kernel.support < math.inf


def kernel_sums(exact: WindowSums, queries: Tensor) -> Sums:
    """The same sums by what is known of their kernel, unless the windows of these queries hold few keys."""
    arguments = exact.keys, exact.columns, exact.width
    pairs = exact.windows(queries, (queries - nearest_key(exact.keys, queries)).abs_().div_(exact.width)).pairs
    if pairs * PAIR < POINT * (len(queries) + len(exact.keys)):
        return exact
    if exact.kernel.log in POLYNOMIALS:
        return PolynomialSums(*arguments, exact.kernel, exact.powers)
    return SMOOTH[exact.kernel.log](*arguments, exact.powers) if exact.kernel.log in SMOOTH else exact
