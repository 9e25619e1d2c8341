"""Every position of a width slider at once: the errors and the sharpness that a drag shows without the server."""

from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import check_width
from attention_core.data import Samples
from attention_core.kernels import kernel_named
from attention_core.pooling import attend, checked
from attention_core.regression.local_linear import tilt
from attention_core.regression.selection import left_out, loo_losses, training_losses

BLOCK = 2**17  # pairs times widths at once, 1 MB of float64


class Sweep(NamedTuple):
    """One number per width (F,), each equal to what `quality` says of that width alone."""

    test_error: Tensor | None  # against the truth, over the queries that reach a key; None when nobody knows it
    undefined: Tensor  # how many queries reach no key, whole numbers
    loo_error: Tensor
    training_error: Tensor  # each point included
    neighbours: Tensor  # exp of the mean entropy over the queries that reach a key; NaN when none does


def sweep(
    samples: Samples,
    queries: Tensor,
    truth: Tensor | None,
    widths: Tensor,
    kernel: str = "gaussian",
    linear: bool = False,
    at: Tensor | None = None,
) -> Sweep:
    """For every width the errors against the truth (Q,) at the queries (Q,), by leave-one-out and in training.

    `at` are the points that are predicted for the last two: by default all up to 5,000, and some beyond (see
    selection.left_out).
    """
    queries, keys, values = checked(queries, *samples)
    widths = check_width(widths).flatten()  # (F,)
    at = left_out(len(keys)) if at is None else at
    loo_error, training_error = (
        losses(samples, widths, kernel, linear, at) for losses in (loo_losses, training_losses)
    )
    errors, undefined, entropy = [], [], []
    for chunk in widths.split(max(1, BLOCK // (len(queries) * len(keys)))):
        scores = kernel_named(kernel)((queries[:, None] - keys) / chunk[:, None, None])  # (f, Q, K)
        pooled = attend(scores, values)
        entropy.append(_mean(torch.special.entr(pooled.weights).sum(-1), pooled.weights.amax(-1) > 0))
        output = tilt(scores, queries, keys, values).output if linear else pooled.output  # (f, Q)
        undefined.append((~output.isfinite()).sum(-1))
        if truth is not None:
            errors.append(_mean((output - truth).square(), output.isfinite()))
    test_error, neighbours = torch.cat(errors) if errors else None, torch.cat(entropy).exp()
    return Sweep(test_error, torch.cat(undefined), loo_error, training_error, neighbours)


def _mean(numbers: Tensor, there: Tensor) -> Tensor:
    """The mean of each row (f, Q) over those that are there; NaN where none is."""
    return numbers.where(there, 0.0).sum(-1) / there.sum(-1)
