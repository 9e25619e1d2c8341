"""The squared error of the learned w and its slope, in closed form: equal to autograd, and many times faster."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from attention_core.data import Points, Samples
from attention_core.kernels import KERNELS
from attention_core.regression.frames import widths_of
from attention_core.regression.prediction import with_ones
from attention_core.regression.sums.kernel_sums import KernelSums, Part

# Pairs worked on at once (1 MB), measured best of 2^15 to 2^19; and up to how many points each pair is looked at.
BLOCK, FEW = 2**17, 400
FLATTEST = 1e-9  # times the range of the keys, a w so small that all count the same; w = 0 would have no finite width


class _Rows:
    """Some of the points, each attending to all n, with the memory to work in.

    Everything is allocated and sliced once: at n = 50 that would otherwise be a third of an epoch's time.
    """

    def __init__(
        self, samples: Samples, start: int, shared: tuple[Tensor, Tensor, Tensor], leave_one_out: bool
    ) -> None:
        squares, weights, self.ones = shared
        keys, self.values = samples  # (n,)
        here = slice(start, start + len(squares))
        self.targets = self.values[here]  # (rows,)
        rows = len(self.targets)
        self.squares, self.weights = squares[:rows], weights[:rows]  # (rows, n)
        self.oneself = self.weights.diagonal(start) if leave_one_out else None  # (rows,)
        self.pair = torch.empty(2, rows, dtype=torch.float64)
        self.residual, self.covariance = self.pair
        self.prediction, self.mean_square, self.mean_product = torch.empty(3, rows, dtype=torch.float64)
        torch.sub(keys[here, None], keys, out=self.squares).square_()

    def __call__(self, w: float) -> list[float]:
        """sum_i r_i^2 and sum_i r_i Cov_a((x_i - x_j)^2, y) with the weights a of softmax(-w^2 (x_i - x_j)^2 / 2)."""
        torch.mul(self.squares, -0.5 * w * w, out=self.weights)
        if self.oneself is not None:
            self.oneself.fill_(-math.inf)  # after scaling: -inf * 0 would be NaN
        torch.softmax(self.weights, -1, out=self.weights)
        torch.mv(self.weights, self.values, out=self.prediction)
        torch.sub(self.prediction, self.targets, out=self.residual)
        torch.mv(self.weights.mul_(self.squares), self.ones, out=self.mean_square)
        torch.mv(self.weights, self.values, out=self.mean_product)
        torch.addcmul(self.mean_product, self.mean_square, self.prediction, value=-1, out=self.covariance)
        sums: list[float] = torch.mv(self.pair, self.residual).tolist()
        return sums


class _Sums:
    """All of many points at once, by sums of kernels."""

    def __init__(self, samples: Samples, leave_one_out: bool) -> None:
        self.targets, self.leave_one_out = samples.y - samples.y.mean(), leave_one_out
        self.sums = KernelSums(samples.x, with_ones(self.targets), KERNELS["gaussian"])
        self.flattest = FLATTEST / float(samples.x[-1] - samples.x[0])

    def __call__(self, w: float) -> list[float]:
        """The same two sums as of `_Rows`."""
        width, found = 1 / max(abs(w), self.flattest), torch.zeros(2, dtype=torch.float64)
        for part in self.sums.parts(torch.tensor([width], dtype=torch.float64), (0, 2)):
            targets = self.targets[part.rows]
            residual, covariance = residual_and_covariance(part, targets, self.leave_one_out)
            found += torch.stack([residual, covariance * width**2]).squeeze(1) @ residual[0]
        squares: list[float] = found.tolist()
        return squares


def residual_and_covariance(part: Part, targets: Tensor, leave_one_out: bool) -> tuple[Tensor, Tensor]:
    """Prediction less target, and Cov(u^2, y) under the weights, each (f, m), from sums of 1 and u^2, times 1 and y."""
    sums, own = part.sums, part.own
    (whole, values), (squares, products) = (sums[:, :, power].unbind(2) for power in (0, 1))  # (f, m) each
    residual = (values - targets * whole) / whole
    output, square, product = targets + residual, squares / whole, products / whole
    if not leave_one_out:  # a point of weight 1 at distance 0 joins the others
        share = whole / (whole + own)  # of the others
        residual, square, product = residual * share, square * share, product * share
        output = targets + residual
    return residual, product - square * output


class SquaredError:
    """L(w) = sum_i r_i^2 with r = f_w(x) - y, and dL/dw = -2 w sum_i r_i Cov_a(D, y)_i.

    D_ij = (x_i - x_j)^2 are the squared distances, and Cov_a is the covariance under the attention weights
    of point i. With leave_one_out no point attends to itself.
    """

    def __init__(self, samples: Samples, leave_one_out: bool = True) -> None:
        n, self.largest_w = len(samples.x), largest_w(samples)
        if n > FEW:
            self._parts: Sequence[_Rows | _Sums] = [_Sums(samples, leave_one_out)]
            return
        rows = max(1, min(n, BLOCK // n))
        # Written over by one block of rows after the other: fresh memory would cost more than the arithmetic.
        weights, ones = torch.empty(rows, n, dtype=torch.float64), torch.ones_like(samples.y)
        self._parts = [
            _Rows(samples, start, (torch.empty_like(weights), weights, ones), leave_one_out)
            for start in range(0, n, rows)
        ]

    def __call__(self, w: float) -> tuple[float, float]:
        """The loss and its derivative at w."""
        loss = slope = 0.0
        for part in self._parts:
            squares, products = part(w)
            loss, slope = loss + squares, slope + products
        return loss, -2 * w * slope


class HeadsError:
    """L = sum_i r_i^2 with r = prediction - y, and its slopes (2 H,), by w and then by the logits, in closed form.

    With the heads' own predictions p_h and squared distances D: dL/dw_h = -2 w_h share_h sum_i r_i Cov_h(D, y)_i and
    dL/dlogit_h = 2 share_h sum_i r_i (p_h - prediction)_i.
    """

    def __init__(self, samples: Samples, leave_one_out: bool = True) -> None:
        self.samples, self.leave_one_out, self.largest_w = samples, leave_one_out, largest_w(samples)
        self.targets = samples.y - samples.y.mean()
        self.sums = KernelSums(samples.x, with_ones(self.targets), KERNELS["gaussian"])

    def __call__(self, w: Tensor, logits: Tensor) -> tuple[float, Tensor]:
        """The loss and its slopes at these w and logits, each (H,)."""
        shares, widths = logits.softmax(0), widths_of(w, self.samples)
        errors, covariances = torch.empty(2, len(w), len(self.targets), dtype=torch.float64)  # of each head alone
        for part in self.sums.parts(widths, (0, 2)):
            found = residual_and_covariance(part, self.targets[part.rows], self.leave_one_out)
            errors[part.widths[:, None], part.rows], covariances[part.widths[:, None], part.rows] = found
        error = shares @ errors  # (n,)
        by_w = -2 * w * shares * widths.square() * (covariances @ error)
        return float(error @ error), torch.cat([by_w, 2 * shares * ((errors - error) @ error)])


def largest_w(samples: Samples) -> float:
    """Beyond this w the width is under a hundredth of the mean gap between keys: only the nearest key counts."""
    return 100 * len(samples.x) / float(samples.x.max() - samples.x.min())


def descended(points: Points, w0: float, learning_rate: float, epochs: int, leave_one_out: bool = True) -> Tensor:
    """Every w of plain gradient descent on the sum of squared errors, from w0 on (epochs + 1,)."""
    path = [w0]
    for _ in range(epochs):
        path.append(path[-1] - learning_rate * slope_at(points, path[-1], leave_one_out))
    return torch.tensor(path, dtype=torch.float64)


def slope_at(points: Points, w: float, leave_one_out: bool = True) -> float:
    """The slope of the sum of squared errors in w, of few points: see `SquaredError` for the formula."""
    x, y = points
    squares = (x[:, None] - x).square()  # (n, n)
    scores = squares * (-0.5 * w * w)
    if leave_one_out:
        scores.fill_diagonal_(-math.inf)
    weights = scores.softmax(-1)
    prediction, weighted = weights @ y, weights * squares
    covariance = weighted @ y - weighted.sum(-1) * prediction  # (n,)
    return -2 * w * float((prediction - y) @ covariance)
