"""What every point is predicted as, less what it is, at any w, and how that changes with w: by what costs least.

Of few points every pair is looked at. Of more, some nodes take the place of all keys where attention is wide, since a
sum of wide bumps is smooth; and where it is narrow, sums of kernels look at what is near alone.
"""

import math
from functools import cached_property, lru_cache

import torch
from torch import Tensor

from attention_core.data import Samples
from attention_core.kernels import KERNELS
from attention_core.regression.prediction import with_ones
from attention_core.regression.sums.chebyshev import nodes, polynomials, to_shares
from attention_core.regression.sums.kernel_sums import KernelSums, Part

FEW = 512  # points up to which all pairs are looked at where nodes do not cost less
PAIRS, POINTS = 4, 0.5  # what a pair of nodes costs, and a node at a point, in pairs of points: about 2 ns
SUMS, A_POINT = 2**18, 60  # what sums of kernels cost at first, and for every point, in the same pairs
MOST, KEPT = 2**21, 8  # polynomials at points, 16 MB; and for how many counts of nodes their weights are kept
WIDE = 8.6  # nodes over half the range in widths: so many meet a Gaussian to 1e-15, and a few more
FEW_DIGITS = 1e-3  # of the weight of one key: with less, what nodes say of the others has too few digits left
FLATTEST = 1e-9  # times the range of the keys, a w so small that all count the same; w = 0 would have no finite width
LEAST = 1e-150  # a w whose square is a number above 0, as that of 1 over it is


class Residuals:
    """Points that are predicted from each other with the weights of softmax(-w^2 (x_i - x_j)^2 / 2)."""

    def __init__(self, samples: Samples, leave_one_out: bool) -> None:
        x, y = samples
        self.samples = Samples(x, y - y.mean())  # values far from 0 would lose digits
        self.leave_one_out, self.half = leave_one_out, float(x[-1] - x[0]) / 2

    def __call__(self, w: float) -> Tensor:
        """Prediction less y, and its Cov((x_i - x_j)^2, y), by which it changes: (2, n), good until the next call."""
        w = min(max(abs(w), LEAST), 1 / LEAST)
        n, count = len(self.samples.x), 16 * math.ceil((WIDE * w * self.half + 14) / 16)
        cost = (PAIRS * count + POINTS * n) * count if n * count <= MOST else math.inf
        by_nodes = cost < (n * n if n <= FEW else SUMS + A_POINT * n)
        if by_nodes and (found := self._nodes(count, w)) is not None:
            return found
        return self._pairs(w) if n <= FEW else self._sums(w)

    @cached_property
    def _nodes(self) -> "_Nodes":
        return _Nodes(self.samples, self.leave_one_out)

    @cached_property
    def _pairs(self) -> "_Pairs":
        return _Pairs(self.samples, self.leave_one_out)

    @cached_property
    def _sums(self) -> "_Sums":
        return _Sums(self.samples, self.leave_one_out)


class _Pairs:
    """Every pair, with the memory to work in: at n = 50 to allocate it would take a third of the time."""

    def __init__(self, samples: Samples, leave_one_out: bool) -> None:
        (x, self.y), n = samples, len(samples.x)
        self.squares = (x[:, None] - x).square()
        self.looked = self.squares.clone()  # as far as a point looks: never at itself, where it is left out
        if leave_one_out:
            self.looked.fill_diagonal_(math.inf)
        self.weights, self.ones = torch.empty_like(self.squares), torch.ones_like(self.y)
        self.found, others = torch.empty(2, n, dtype=torch.float64), torch.empty(3, n, dtype=torch.float64)
        self.prediction, self.square, self.product = others
        self.residual, self.covariance = self.found

    def __call__(self, w: float) -> Tensor:
        """What `Residuals` tells."""
        torch.mul(self.looked, -0.5 * w * w, out=self.weights)
        torch.softmax(self.weights, -1, out=self.weights)
        torch.mv(self.weights, self.y, out=self.prediction)
        torch.sub(self.prediction, self.y, out=self.residual)
        torch.mv(self.weights.mul_(self.squares), self.ones, out=self.square)
        torch.mv(self.weights, self.y, out=self.product)
        torch.addcmul(self.product, self.square, self.prediction, value=-1, out=self.covariance)
        return self.found


class _Nodes:
    """All keys as a few Chebyshev nodes over their whole range."""

    def __init__(self, samples: Samples, leave_one_out: bool) -> None:
        (x, self.y), self.leave_one_out = samples, leave_one_out
        self.half = float(x[-1] - x[0]) / 2
        self.t = (x - (x[0] + x[-1]) / 2) / self.half  # in [-1, 1]
        self.polynomials = torch.empty(0, len(x), dtype=torch.float64)  # at every point
        self.weights = lru_cache(KEPT)(self._weights)

    def _weights(self, count: int) -> Tensor:
        """What so many nodes weigh in place of all points: (count, 2)."""
        if count > len(self.polynomials):
            self.polynomials = polynomials(self.t, count)
        return to_shares(count).mT @ (self.polynomials[:count] @ with_ones(self.y))

    def __call__(self, count: int, w: float) -> Tensor | None:
        """What `Residuals` tells; None where some point is so far from all others that too few digits are left."""
        weights, at = self.weights(count), nodes(count) * self.half
        squares = (at[:, None] - at).square()
        near = (squares * (-0.5 * w * w)).exp_()
        of_nodes = to_shares(count) @ torch.cat([near @ weights, near.mul_(squares) @ weights], 1)  # (count, 4)
        whole, values, square, product = of_nodes.mT @ self.polynomials[:count]  # (n,) each
        if self.leave_one_out:
            whole, values = whole - 1, values - self.y
            if float(whole.min()) < FEW_DIGITS:
                return None
        prediction = values / whole
        return torch.stack([prediction - self.y, (product - square * prediction) / whole])


class _Sums:
    """Sums of kernels, which look at what is near."""

    def __init__(self, samples: Samples, leave_one_out: bool) -> None:
        self.y, self.leave_one_out = samples.y, leave_one_out
        self.sums = KernelSums(samples.x, with_ones(samples.y), KERNELS["gaussian"])
        self.flattest = FLATTEST / float(samples.x[-1] - samples.x[0])

    def __call__(self, w: float) -> Tensor:
        """What `Residuals` tells."""
        width, found = 1 / max(w, self.flattest), torch.empty(2, len(self.y), dtype=torch.float64)
        for part in self.sums.parts(torch.tensor([width], dtype=torch.float64), (0, 2)):
            found[:, part.rows] = _of_sums(part, self.y[part.rows], self.leave_one_out)
        found[1] *= width**2
        return found


def _of_sums(part: Part, targets: Tensor, leave_one_out: bool) -> Tensor:
    """Prediction less target, and Cov(u^2, y) under the weights (2, m), from sums of 1 and u^2, times 1 and y."""
    (sums,), (own,) = part.sums, part.own
    (whole, values), (squares, products) = sums[:, 0].unbind(1), sums[:, 1].unbind(1)  # (m,) each
    residual = (values - targets * whole) / whole
    output, square, product = targets + residual, squares / whole, products / whole
    if not leave_one_out:  # a point of weight 1 at distance 0 joins the others
        share = whole / (whole + own)  # of the others
        residual, square, product = residual * share, square * share, product * share
        output = targets + residual
    return torch.stack([residual, product - square * output])
