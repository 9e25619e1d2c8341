"""The lab's table of errors, with a row for every width of its slider; pure, no Streamlit."""

import math
from collections.abc import Sequence

from attention_core.data import truth
from attention_core.regression.estimator import Estimator
from attention_core.regression.quality import Row, compare
from attention_core.regression.sweep import Sweep
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.model import model_text
from attention_ui.controls.widths import usual_width
from attention_ui.numbers import short
from attention_ui.pictures.regression import queries_for
from attention_ui.pictures.table import Table


def numbers_table(dataset: Dataset, model: Estimator, widths: Sequence[float], swept: Sweep) -> Table:
    """Average pooling, the usual width, and the current one; the model's own width does not matter."""
    usual = Estimator(usual_width(dataset))
    known = truth(dataset.true_curve, queries_for(dataset)) if dataset.true_curve else None
    still = compare(dataset.samples(), queries_for(dataset), known, {f"Gaussian, σ = {short(usual.width)}": usual})
    errors = [
        column.tolist() for column in (swept.test_error, swept.loo_error, swept.training_error) if column is not None
    ]
    names = (f"Now: {model_text(model.kernel, model.linear, width)}" for width in widths)
    moving = [(name, *(short(error, 4) for error in row)) for name, *row in zip(names, *errors, strict=True)]
    return Table(
        (
            "Estimator",
            *(("True error",) if dataset.true_curve else ()),
            "Leave-one-out error",
            "Training error",
        ),
        tuple(cells(row) for row in still),
        tuple((row,) for row in moving),
        _note(dataset),
        tuple(map(_noted, swept.neighbours.tolist(), swept.undefined.tolist())),
    )


def cells(row: Row) -> tuple[str, ...]:
    """One line of the table; without a truth there is no error against it."""
    errors = [row.test_error, row.loo_error, row.training_error]
    return (row.name, *(short(error, 4) for error in errors if error is not None))


def _note(dataset: Dataset) -> str:
    """How sharp attention is, with {} for the numbers that move."""
    most = math.log(len(dataset.samples().x))
    unknown = "" if dataset.true_curve else " The true curve is unknown."
    return (
        "The effective number of keys is {}: equal weights over so many keys would be as spread out. The entropy of "
        f"the weights is {{}} on average; the most would be {short(most, 4)}. Queries that reach no key: {{}}.{unknown}"
    )


def _noted(neighbours: float, unreached: int) -> tuple[str, ...]:
    """The numbers of the note at one width."""
    entropy = math.log(neighbours) if neighbours == neighbours else neighbours
    return short(neighbours, 4), short(entropy, 4), str(unreached)
