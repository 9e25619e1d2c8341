"""What is expensive in the lab alone, kept and shared as in attention_ui/pictures/cache.py: leave it unchanged."""

from functools import lru_cache

import torch

from attention_core.regression.bias_variance import BiasVariance, bias_variance
from attention_core.regression.estimator import Estimator
from attention_core.regression.loo_curve import LooCurve, loo_curve
from attention_core.regression.redraw import Recipe
from attention_ui.chapters.kernel_regression.numbers_table import numbers_table
from attention_ui.controls.dataset import Dataset
from attention_ui.controls.width import width_text
from attention_ui.pictures.cache import swept
from attention_ui.pictures.picture import Picture, pack
from attention_ui.pictures.regression import FINE


@lru_cache(64)
def packed_numbers(dataset: Dataset, kernel: str, linear: bool, widths: tuple[float, ...], page: str) -> bytes:
    """The table of errors at every width, as bytes for the browser."""
    found = swept(dataset, kernel, linear, widths)
    table = numbers_table(dataset, Estimator(1.0, kernel, linear), widths, found)
    captions = tuple(map(width_text, widths))
    return pack(Picture((table,), captions, slider=f"{page}_width", follows=f"{page}_stage"))


@lru_cache(256)
def loo_curve_of(dataset: Dataset, kernel: str, linear: bool) -> LooCurve:
    """Leave-one-out error over all widths; its mark "current" stands at width 1, for the page to move."""
    return loo_curve(dataset.samples(), Estimator(1.0, kernel, linear))


@lru_cache(256)
def redrawn(recipe: Recipe, estimator: Estimator) -> BiasVariance:
    """A hundred redraws of made-up data at this estimator."""
    return bias_variance(recipe, estimator, torch.linspace(0, 5, FINE, dtype=torch.float64))
