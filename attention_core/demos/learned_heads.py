"""What several learned widths answer together at one epoch; for scripts in torch alone, gradient descent by autograd.

As with one w, the page learns by `learning.heads.learned_together`, and the tests compare both.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

from attention_core.data import Points
from attention_core.demos.learned_w import by_rows
from attention_core.learning.stretch import Stretch

HeadsError = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]  # of points x and y at every head's w and share


def heads_descent(
    points: Points, starts: tuple[float, ...], learning_rate: float, epochs: int, optimizer: Callable[..., Optimizer],
    share: float, error: HeadsError, stretch: Stretch,
) -> dict[str, Any]:  # fmt: skip
    """Learn every head's w and share by autograd, a step per epoch; the page has the slopes in closed form."""
    keys, values = points
    x, y, x_scale = stretch(keys, values)
    w = torch.tensor(starts, dtype=torch.float64, requires_grad=True)
    logits = torch.zeros_like(w, requires_grad=True)
    moves, path = optimizer([w, logits], lr=learning_rate), [torch.stack([w, logits]).detach()]
    for _ in range(epochs):
        moves.zero_grad()
        (share * error(x, y, w, logits.softmax(0))).backward()
        moves.step()
        path.append(torch.stack([w, logits]).detach())
    every_w, every_logit = torch.stack(path, 1)  # each (epochs + 1, heads)
    shares = every_logit.softmax(1)
    pairs = zip(every_w, shares, strict=True)
    losses = torch.stack([share * error(x, y, each, own) for each, own in pairs])
    return {"keys": keys, "values": values, "x_scale": x_scale, "w": every_w, "shares": shares, "losses": losses}


def left_out_error(x: Tensor, y: Tensor, w: Tensor, shares: Tensor) -> Tensor:
    """The sum of squared errors of every point, predicted by all heads together from all the others."""
    scores = -0.5 * ((x[:, None] - x) * w[:, None, None]) ** 2  # (heads, points, points)
    scores = scores.masked_fill(torch.eye(len(x), dtype=torch.bool), -torch.inf)  # or memorising would win
    return ((shares @ (scores.softmax(-1) @ y) - y) ** 2).sum()


def training_error(x: Tensor, y: Tensor, w: Tensor, shares: Tensor) -> Tensor:
    """The sum of squared errors of every point, predicted by all heads together from all points: memorising wins."""
    scores = -0.5 * ((x[:, None] - x) * w[:, None, None]) ** 2  # (heads, points, points)
    return ((shares @ (scores.softmax(-1) @ y) - y) ** 2).sum()


def left_out_error_by_rows(x: Tensor, y: Tensor, w: Tensor, shares: Tensor) -> Tensor:
    """The same as `left_out_error`, of so many points that all their scores at once would fill the memory."""
    return by_rows(left_out_error_of, x, y, w, shares)


def training_error_by_rows(x: Tensor, y: Tensor, w: Tensor, shares: Tensor) -> Tensor:
    """The same as `training_error`, of so many points that all their scores at once would fill the memory."""
    return by_rows(training_error_of, x, y, w, shares)


def left_out_error_of(rows: Tensor, x: Tensor, y: Tensor, w: Tensor, shares: Tensor) -> Tensor:
    """The sum of squared errors of some points (rows,), predicted by all heads together from all the others."""
    scores = -0.5 * ((x[rows, None] - x) * w[:, None, None]) ** 2  # (heads, rows, points)
    scores = scores.masked_fill(rows[:, None] == torch.arange(len(x)), -torch.inf)  # or memorising would win
    return ((shares @ (scores.softmax(-1) @ y) - y[rows]) ** 2).sum()


def training_error_of(rows: Tensor, x: Tensor, y: Tensor, w: Tensor, shares: Tensor) -> Tensor:
    """The sum of squared errors of some points (rows,), predicted by all heads together from all points."""
    scores = -0.5 * ((x[rows, None] - x) * w[:, None, None]) ** 2  # (heads, rows, points)
    return ((shares @ (scores.softmax(-1) @ y) - y[rows]) ** 2).sum()


def mixed_losses_on(
    w: Tensor, shares: Tensor, points: Points, share: float, error: HeadsError, stretch: Stretch
) -> dict[str, Any]:
    """The loss at every w and share of a path, each (epochs + 1, heads)."""
    keys, values = points
    x, y, x_scale = stretch(keys, values)
    pairs = zip(w, shares, strict=True)
    losses = torch.stack([share * error(x, y, each, own) for each, own in pairs])
    return {"keys": keys, "values": values, "x_scale": x_scale, "w": w, "shares": shares, "losses": losses}


def mixture_at(run: dict[str, Any], queries: Tensor, epoch: int) -> dict[str, Any]:
    """What all heads answer together at one epoch, and with which weights."""
    each = sharpened(queries, run["keys"], run["w"][epoch] / run["x_scale"])  # (heads, queries, keys)
    weights = torch.einsum("h,hqk->qk", run["shares"][epoch], each)
    return run | {"queries": queries, "output": weights @ run["values"], "weights": weights}


def head_by_head(run: dict[str, Any], queries: Tensor) -> dict[str, Any]:
    """The weights (heads, queries, keys) of every head at the end."""
    return run | {"queries": queries, "weights": sharpened(queries, run["keys"], run["w"][-1] / run["x_scale"])}


def sharpened(queries: Tensor, keys: Tensor, w: Tensor) -> Tensor:
    """The attention weights (heads, queries, keys) of Gaussians of widths 1 / w."""
    return (-0.5 * ((queries[:, None] - keys) * w[:, None, None]) ** 2).softmax(-1)
