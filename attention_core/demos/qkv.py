"""One query meets six keys, on a line or in a plane, and gets the average of their values by weight."""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor

from attention_core.checks import LARGEST, InputError
from attention_core.pooling import Pooled

COLDEST = 1e-6  # below this, scores divided by the temperature may leave float64
# Two keys equally far from a query on paper differ by a few roundings in float64; they still share the weight.
TIE = 1e-9


class Pairs(NamedTuple):
    """Keys with their values: a key says how well a query fits, its value is what the query gets."""

    names: tuple[str, ...]
    keys: Tensor  # (K, D)
    values: Tensor  # (K,)


NAMES = ("A", "B", "C", "D", "E", "F")
VALUES = torch.tensor([62, 18, 85, 34, 71, 9], dtype=torch.float64)
ON_A_LINE = torch.tensor([[0.7], [1.5], [2.9], [4.6], [5.7], [7.4]], dtype=torch.float64)
IN_A_PLANE = torch.tensor([[0.9, 3.2], [1.8, 0.8], [3.3, 2.4], [4.7, 3.5], [5.4, 1.1], [7.1, 2.7]], dtype=torch.float64)
LINE = Pairs(NAMES, ON_A_LINE, VALUES)
PLANE = Pairs(NAMES, IN_A_PLANE, VALUES)


def closeness(queries: Tensor, keys: Tensor) -> Tensor:
    """Score every query (Q, D) against every key (K, D): s = -|q - k|^2 / 2, the logarithm of a Gaussian."""
    return (queries[:, None] - keys).square().sum(-1) / -2


def attention(queries: Tensor, keys: Tensor, values: Tensor, temperature: float) -> dict[str, Tensor]:
    """Average the values by how near their keys are: the colder the temperature, the more the scores count."""
    scores = closeness(queries, keys)  # (Q, K)
    weights = (scores / temperature).softmax(-1)  # each row sums to 1
    output = weights @ values
    return {"scores": scores, "weights": weights, "values": values, "output": output}


def average_pooling(queries: Tensor, keys: Tensor, values: Tensor) -> dict[str, Tensor]:
    """At T = infinity no score counts more than another: every value weighs the same."""
    scores = closeness(queries, keys)  # (Q, K)
    weights = torch.zeros_like(scores).softmax(-1)
    output = weights @ values
    return {"scores": scores, "weights": weights, "values": values, "output": output}


def nearest_key(queries: Tensor, keys: Tensor, values: Tensor) -> dict[str, Tensor]:
    """At T = 0 the nearest key gets everything; keys equally near share it."""
    scores = closeness(queries, keys)  # (Q, K)
    nearest = (scores >= scores.amax(-1, keepdim=True) - TIE).double()
    weights = nearest / nearest.sum(-1, keepdim=True)
    output = weights @ values
    return {"scores": scores, "weights": weights, "values": values, "output": output}


ENDS = {math.inf: average_pooling, 0.0: nearest_key}  # of the temperature


def pooled(queries: Tensor, temperature: float = 1.0, pairs: Pairs = LINE) -> Pooled:
    """softmax(s / T) @ values: average pooling at T = inf, attention at T = 1, the nearest key alone at T = 0."""
    queries = _checked(queries, pairs)
    if temperature not in ENDS and not COLDEST <= temperature <= LARGEST:
        raise InputError(f"temperature must be 0, inf, or from {COLDEST:g} to {LARGEST:g}, not {temperature:g}.")
    shown = _attention_at(temperature)(queries, pairs.keys, pairs.values)
    return Pooled(shown["output"], shown["weights"])


def keys_moved(query: Tensor, temperature: float, pairs: Pairs, places: Tensor) -> Pooled:
    """What a query (1, D) gets when one key is moved: output (K, P) and weights (K, P, K), for every key and place."""
    count = len(pairs.keys)
    keys = pairs.keys.repeat(count, len(places), 1, 1)  # (K, P, K, D): a row for each moved key and each place
    keys[range(count), :, range(count)] = places
    shown = _attention_at(temperature)(query[None], keys.flatten(0, 1), pairs.values)
    return Pooled(shown["output"].view(count, -1), shown["weights"].view(count, -1, count))


def values_changed(weights: Tensor, values: Tensor, levels: Tensor) -> Tensor:
    """The output (K, L) under weights (K,) when one value is changed: for every value and level."""
    changed = values.repeat(len(values), len(levels), 1)  # (K, L, K)
    changed[range(len(values)), :, range(len(values))] = levels
    return changed @ weights


def _attention_at(temperature: float) -> Callable[[Tensor, Tensor, Tensor], dict[str, Tensor]]:
    return ENDS.get(temperature) or partial(attention, temperature=temperature)


def _checked(queries: Tensor, pairs: Pairs) -> Tensor:
    """Queries as float64 (Q, D), as wide as the keys."""
    queries = torch.as_tensor(queries, dtype=torch.float64)
    width = pairs.keys.shape[-1]
    if queries.ndim == 1 and width == 1:
        queries = queries[:, None]
    if queries.ndim != 2 or queries.shape[1] != width or not (queries.abs() <= LARGEST).all():
        raise InputError(f"queries must be finite numbers up to {LARGEST:g}, {width} for each query.")
    return queries
