"""Every position of a width slider at once: the errors and the sharpness that a drag shows without the server."""

from typing import NamedTuple

from torch import Tensor

from attention_core.checks import check_width
from attention_core.data import Samples
from attention_core.pooling import checked
from attention_core.progress import part
from attention_core.regression.prediction import Predictions
from attention_core.regression.selection import PointErrors


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
) -> Sweep:
    """For every width the errors against the truth (Q,) at the queries (Q,), by leave-one-out and in training."""
    queries, *_ = checked(queries, *samples)
    widths = check_width(widths).flatten()  # (F,)
    with part(0.0, 0.9):
        left_out, fitted = PointErrors(samples, kernel, linear)(widths)
    predictions = Predictions(samples, kernel)
    output, entropy = predictions.attended(queries, widths)  # (F, Q) each
    if linear:
        output = predictions.outputs(queries, widths, linear)
    error = None if truth is None else _mean((output - truth).square(), output.isfinite())
    neighbours = _mean(entropy, entropy.isfinite()).exp()
    return Sweep(error, (~output.isfinite()).sum(-1), left_out, fitted, neighbours)


def _mean(numbers: Tensor, there: Tensor) -> Tensor:
    """The mean of each row (F, Q) over those that are there; NaN where none is."""
    return numbers.where(there, 0.0).sum(-1) / there.sum(-1)
