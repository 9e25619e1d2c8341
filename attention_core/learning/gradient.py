"""The squared error of the learned w and its slope, in closed form: equal to autograd, and many times faster."""

import math

import torch
from torch import Tensor

from attention_core.data import Points, Samples
from attention_core.learning.residuals import Residuals


class SquaredError:
    """L(w) = sum_i r_i^2 with r = f_w(x) - y, and dL/dw = -2 w sum_i r_i Cov_a(D, y)_i.

    D_ij = (x_i - x_j)^2 are the squared distances, and Cov_a is the covariance under the attention weights
    of point i. With leave_one_out no point attends to itself.
    """

    def __init__(self, samples: Samples, leave_one_out: bool = True) -> None:
        self.residuals, self.largest_w = Residuals(samples, leave_one_out), largest_w(samples)

    def __call__(self, w: float) -> tuple[float, float]:
        """The loss and its derivative at w."""
        found = self.residuals(w)
        squares, products = torch.mv(found, found[0]).tolist()
        return squares, -2 * w * products


class HeadsError:
    """L = sum_i r_i^2 with r = prediction - y, and its slopes (2 H,), by w and then by the logits, in closed form.

    With the heads' own predictions p_h and squared distances D: dL/dw_h = -2 w_h share_h sum_i r_i Cov_h(D, y)_i and
    dL/dlogit_h = 2 share_h sum_i r_i (p_h - prediction)_i.
    """

    def __init__(self, samples: Samples, leave_one_out: bool = True) -> None:
        self.residuals, self.largest_w = Residuals(samples, leave_one_out), largest_w(samples)

    def __call__(self, w: Tensor, logits: Tensor) -> tuple[float, Tensor]:
        """The loss and its slopes at these w and logits, each (H,)."""
        shares = logits.softmax(0)
        each = torch.stack([self.residuals(one).clone() for one in w.tolist()])  # (H, 2, n), of each head alone
        errors, covariances = each.unbind(1)
        error = shares @ errors  # (n,)
        by_w = -2 * w * shares * (covariances @ error)
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
