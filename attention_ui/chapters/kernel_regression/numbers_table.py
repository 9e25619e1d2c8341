"""The lab's table of errors, with a row for every width of its slider; pure, no Streamlit."""

import math
from collections.abc import Sequence

from attention_core.data import truth
from attention_core.regression.estimator import Estimator
from attention_core.regression.quality import Row, compare
from attention_core.regression.sweep import Sweep
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.model import estimator_text
from attention_ui.controls.width import usual_width
from attention_ui.numbers import short
from attention_ui.pictures.regression import queries_for
from attention_ui.pictures.table import Table


def numbers_table(dataset: Dataset, model: Estimator, widths: Sequence[float], swept: Sweep) -> Table:
    """Average pooling, the usual width, and the current one; the model's own width does not matter."""
    usual = Estimator(usual_width(dataset))
    known = truth(dataset.true_curve, queries_for(dataset)) if dataset.true_curve else None
    still = compare(dataset.samples(), queries_for(dataset), known, {f"Gaussian, σ = {short(usual.width)}": usual})
    moving = [moving_row(model, width, swept, frame) for frame, width in enumerate(widths)]
    return Table(
        (
            "Estimator",
            *(("True error",) if dataset.true_curve else ()),
            "Leave-one-out error",
            "Training error",
        ),
        tuple(cells(row) for row in still),
        tuple((cells(row),) for row in moving),
        _note(dataset),
        tuple(_noted(swept, frame) for frame in range(len(widths))),
    )


def moving_row(model: Estimator, width: float, swept: Sweep, frame: int) -> Row:
    """The errors at one width of the slider."""
    name = f"Now: {estimator_text(Estimator(width, model.kernel, model.linear))}"
    test_error = None if swept.test_error is None else float(swept.test_error[frame])
    errors = float(swept.loo_error[frame]), float(swept.training_error[frame])
    return Row(name, test_error, int(swept.undefined[frame]), *errors)


def cells(row: Row) -> tuple[str, ...]:
    """One line of the table; without a truth there is no error against it."""
    errors = [row.test_error, row.loo_error, row.training_error]
    return (row.name, *(short(error, 4) for error in errors if error is not None))


def _note(dataset: Dataset) -> str:
    """How sharp attention is, with {} for the numbers that move."""
    most = math.log(len(dataset.samples().x))
    unknown = "" if dataset.true_curve else " Nobody knows the true curve behind these points."
    return (
        "The effective number of keys is {}: e to the mean entropy of the weights, which is {} of at most "
        f"{short(most, 4)}. Queries that reach no key: {{}}.{unknown}"
    )


def _noted(swept: Sweep, frame: int) -> tuple[str, ...]:
    """The numbers of the note at one width."""
    neighbours, unreached = float(swept.neighbours[frame]), int(swept.undefined[frame])
    entropy = math.log(neighbours) if neighbours == neighbours else neighbours
    return short(neighbours, 4), short(entropy, 4), str(unreached)
