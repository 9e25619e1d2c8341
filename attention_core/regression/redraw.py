"""Data sets drawn again: fresh points from the same curve, each draw with a seed of its own."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from attention_core.checks import check_whole
from attention_core.data import LAST_SEED, Samples, generate


@dataclass(frozen=True)
class Recipe:
    """How a data set is drawn; the arguments of `generate`."""

    function: str = "wave"
    n: int = 50
    noise: float = 0.5
    seed: int = 0


def redraws(recipe: Recipe, count: int) -> Iterator[Samples]:
    """So many data sets of the same recipe; the same seed gives the same data sets."""
    generator = torch.Generator().manual_seed(check_whole("seed", recipe.seed, 0, LAST_SEED))
    seeds = torch.randint(LAST_SEED, (count,), generator=generator).tolist()
    return (generate(recipe.function, recipe.n, recipe.noise, seed) for seed in seeds)
