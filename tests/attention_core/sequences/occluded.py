"""Occlusion and its agreement with the weights in one go, as the demos put them together from the same parts."""

from attention_core.sequences.decoding import trace
from attention_core.sequences.occlusion import (
    Agreement,
    Occlusion,
    chances_of_swaps,
    effects_of,
    pearson,
    same_peak,
    spearman,
)


def occlude(model, task, text):
    """What the model writes for a text, and how much each symbol of it owes to each symbol read."""
    traced = trace(model, task, text)
    return Occlusion(traced, effects_of(*chances_of_swaps(model, task, traced)))


def agreement(weights, effects):
    """How far two (T, S) matrices agree."""
    return Agreement(pearson(weights, effects), spearman(weights, effects), *same_peak(weights, effects))
