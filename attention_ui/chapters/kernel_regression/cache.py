"""What is expensive in the lab alone, kept and shared as in attention_ui/pictures/cache.py: leave it unchanged."""

import torch

from attention_core.regression.bias_variance import bias_variance
from attention_core.regression.estimator import Estimator
from attention_core.regression.quality import loo_error
from attention_core.regression.redraw import Recipe
from attention_ui.chapters.kernel_regression.numbers_table import numbers_table
from attention_ui.chapters.kernel_regression.pictures import (
    bias_variance_picture,
    one_query_picture,
    which_width_picture,
)
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.widths import width_text
from attention_ui.helpers import helped
from attention_ui.pictures.cache import chosen_widths, swept
from attention_ui.pictures.picture import Picture, pack
from attention_ui.pictures.regression import queries_for
from attention_ui.shared import shared

Widths = tuple[float, ...]


@shared
@helped
def packed_numbers(dataset: Dataset, kernel: str, linear: bool, widths: Widths, page: str) -> bytes:
    """The table of errors at every width, as bytes for the browser."""
    found = swept(dataset, kernel, linear, widths)
    table = numbers_table(dataset, Estimator(1.0, kernel, linear), widths, found)
    captions = tuple(map(width_text, widths))
    return pack(Picture((table,), captions, slider=f"{page}_width", follows=f"{page}_stage"))


@shared
def packed_query(dataset: Dataset, kernel: str, linear: bool, widths: Widths, page: str, query: float) -> bytes:
    """One query taken apart at every width, as bytes for the browser."""
    return pack(one_query_picture(dataset, query, kernel, linear, _column(widths), page))


@shared
def packed_errors(
    dataset: Dataset, kernel: str, linear: bool, widths: Widths, page: str, rules: tuple[str, ...]
) -> bytes:
    """The leave-one-out error at every width and what these rules choose, as bytes for the browser."""
    chosen = {rule: rule_widths(dataset, kernel, linear)[rule] for rule in rules}
    return pack(which_width_picture(_column(widths), swept(dataset, kernel, linear, widths).loo_error, chosen, page))


@shared
def rule_widths(dataset: Dataset, kernel: str, linear: bool) -> dict[str, tuple[float, float]]:
    """What every rule chooses, and its leave-one-out error."""
    samples = dataset.samples()
    chosen = chosen_widths(dataset, kernel, linear)
    return {rule: (width, loo_error(samples, Estimator(width, kernel, linear))) for rule, width in chosen.items()}


@shared
def packed_redraws(dataset: Dataset, kernel: str, linear: bool, widths: Widths, page: str) -> bytes:
    """Bias and variance of made-up data at every width, as bytes for the browser."""
    recipe = Recipe(dataset.name, dataset.n, dataset.noise, dataset.seed)
    queries, column = queries_for(dataset), _column(widths)
    found = bias_variance(recipe, column, queries, kernel, linear)
    return pack(bias_variance_picture(dataset, queries, column, found, page))


def _column(widths: Widths) -> torch.Tensor:
    return torch.tensor(widths, dtype=torch.float64)
