"""The squared error of the learned w and its slope, in closed form: equal to autograd, and many times faster."""

import math
from collections.abc import Generator, Iterator

import torch
from torch import Tensor

from attention_core.data import Points, Samples

# Pairs worked on at once (1 MB), measured best of 2^15 to 2^19; and up to how many (8 MB) the squared distances are
# kept from one call to the next.
BLOCK, KEPT = 2**17, 2**20
SLICE = 2**22  # pairs after which `slices` lets go for a moment: about 20 ms


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


class SquaredError:
    """L(w) = sum_i r_i^2 with r = f_w(x) - y, and dL/dw = -2 w sum_i r_i Cov_a(D, y)_i.

    D_ij = (x_i - x_j)^2 are the squared distances, and Cov_a is the covariance under the attention weights
    of point i. With leave_one_out no point attends to itself.
    """

    def __init__(self, samples: Samples, leave_one_out: bool = True) -> None:
        self.samples, self.leave_one_out = samples, leave_one_out
        n = len(samples.x)
        self._rows = max(1, min(n, BLOCK // n))
        # Written over by one block of rows after the other: fresh memory would cost more than the arithmetic.
        self._weights = torch.empty(self._rows, n, dtype=torch.float64)
        self._squares = None if n * n <= KEPT else torch.empty_like(self._weights)
        self._ones = torch.ones_like(samples.y)
        self._kept = list(self._blocks()) if self._squares is None else None

    def _blocks(self) -> Iterator[_Rows]:
        for start in range(0, len(self.samples.x), self._rows):
            squares = torch.empty_like(self._weights) if self._squares is None else self._squares
            yield _Rows(self.samples, start, (squares, self._weights, self._ones), self.leave_one_out)

    def __call__(self, w: float) -> tuple[float, float]:
        """The loss and its derivative at w."""
        loss = slope = 0.0
        for rows in self._kept or self._blocks():
            squares, products = rows(w)
            loss, slope = loss + squares, slope + products
        return loss, -2 * w * slope

    def slices(self, w: float) -> Generator[float, None, tuple[float, float]]:
        """The same, letting go every 20 ms or so to yield the share of the rows that are done."""
        n, loss, slope, done, due = len(self.samples.x), 0.0, 0.0, 0, SLICE
        for rows in self._kept or self._blocks():
            if done * n >= due:
                due = done * n + SLICE
                yield done / n
            squares, products = rows(w)
            loss, slope, done = loss + squares, slope + products, done + len(rows.targets)
        return loss, -2 * w * slope


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
