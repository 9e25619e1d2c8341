"""What the learned w answers at one epoch; and for scripts in torch alone, gradient descent by autograd.

The page learns by `learning.training.learned`, whose slope in closed form takes a tenth of the time; so do scripts with
attention_core. The tests compare both.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.utils.checkpoint import checkpoint

from attention_core.data import Points
from attention_core.learning.stretch import Stretch

Error = Callable[[Tensor, Tensor, Tensor], Tensor]  # of points x and y at w


def gradient_descent(
    points: Points, w0: float, learning_rate: float, epochs: int, optimizer: Callable[..., Optimizer],
    share: float, error: Error, stretch: Stretch,
) -> dict[str, Any]:  # fmt: skip
    """Learn w by autograd, a step per epoch, on a share of the squared error; the page has its slope in closed form."""
    keys, values = points
    x, y, x_scale = stretch(keys, values)
    w = torch.tensor(w0, dtype=torch.float64, requires_grad=True)
    moves, path = optimizer([w], lr=learning_rate), [w0]
    for _ in range(epochs):
        moves.zero_grad()
        (share * error(x, y, w)).backward()
        moves.step()
        path.append(w.item())
    every_w = torch.tensor(path, dtype=torch.float64)  # (epochs + 1,)
    losses = torch.stack([share * error(x, y, each) for each in every_w])
    return {"keys": keys, "values": values, "x_scale": x_scale, "w": every_w, "losses": losses}


def left_out_error(x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    """The sum of squared errors of every point, predicted from all the others."""
    scores = -0.5 * ((x[:, None] - x) * w) ** 2  # (points, points)
    scores = scores.masked_fill(torch.eye(len(x), dtype=torch.bool), -torch.inf)  # or memorising would win
    return ((scores.softmax(-1) @ y - y) ** 2).sum()


def training_error(x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    """The sum of squared errors of every point, predicted from all points, itself too: memorising wins."""
    scores = -0.5 * ((x[:, None] - x) * w) ** 2  # (points, points)
    return ((scores.softmax(-1) @ y - y) ** 2).sum()


def left_out_error_by_rows(x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    """The same as `left_out_error`, of so many points that all their scores at once would fill the memory."""
    return by_rows(left_out_error_of, x, y, w)


def training_error_by_rows(x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    """The same as `training_error`, of so many points that all their scores at once would fill the memory."""
    return by_rows(training_error_of, x, y, w)


def left_out_error_of(rows: Tensor, x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    """The sum of squared errors of some points (rows,), predicted from all the others."""
    scores = -0.5 * ((x[rows, None] - x) * w) ** 2  # (rows, points)
    scores = scores.masked_fill(rows[:, None] == torch.arange(len(x)), -torch.inf)  # or memorising would win
    return ((scores.softmax(-1) @ y - y[rows]) ** 2).sum()


def training_error_of(rows: Tensor, x: Tensor, y: Tensor, w: Tensor) -> Tensor:
    """The sum of squared errors of some points (rows,), predicted from all points, themselves too."""
    scores = -0.5 * ((x[rows, None] - x) * w) ** 2  # (rows, points)
    return ((scores.softmax(-1) @ y - y[rows]) ** 2).sum()


def by_rows(error_of: Callable[..., Tensor], x: Tensor, y: Tensor, *learned: Tensor) -> Tensor:
    """The errors of all points, some after the others; the slope computes their weights again and keeps none."""
    blocks = torch.arange(len(x)).split(max(1, 2**22 // len(x)))
    return torch.stack([checkpoint(error_of, here, x, y, *learned, use_reentrant=False) for here in blocks]).sum()


def losses_on(path: Tensor, points: Points, share: float, error: Error, stretch: Stretch) -> dict[str, Any]:
    """The loss at every w of a path (epochs + 1,)."""
    keys, values = points
    x, y, x_scale = stretch(keys, values)
    losses = torch.stack([share * error(x, y, each) for each in path])
    return {"keys": keys, "values": values, "x_scale": x_scale, "w": path, "losses": losses}


def attention_at(run: dict[str, Any], queries: Tensor, epoch: int) -> dict[str, Any]:
    """What the model answers with the w of one epoch, and with which weights."""
    weights = sharpened(queries, run["keys"], run["w"][epoch] / run["x_scale"])
    return run | {"queries": queries, "output": weights @ run["values"], "weights": weights}


def before_and_after(run: dict[str, Any], queries: Tensor) -> dict[str, Any]:
    """The weights with the first w and with the last."""
    before, after = (sharpened(queries, run["keys"], run["w"][epoch] / run["x_scale"]) for epoch in (0, -1))
    return run | {"queries": queries, "before": before, "after": after}


def sharpened(queries: Tensor, keys: Tensor, w: Tensor) -> Tensor:
    """The attention weights (queries, keys) of a Gaussian of width 1 / w."""
    return (-0.5 * ((queries[:, None] - keys) * w) ** 2).softmax(-1)
