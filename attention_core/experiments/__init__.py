"""Experiments that decide an exercise: one file each, in the order of the story, all called `experiment(seed)`.

Those that ask a trained model take its parameters as well.
"""

from collections.abc import Callable

from attention_core.experiments import (
    average,
    blanked,
    bottleneck,
    causal,
    columns,
    cues,
    design,
    heads,
    hyper,
    kernel_or_width,
    learned_w,
    leave_out,
    lengths,
    masked,
    more_data,
    narrow,
    shapes,
    sharper,
    shuffle,
    sqrt_d,
    temperature,
)
from attention_core.experiments.finding import Finding

MODULES = (
    *(cues, temperature, columns),
    *(average, narrow, more_data, kernel_or_width, shapes),
    *(leave_out, learned_w, sharper, hyper, design),
    *(sqrt_d, masked, lengths),
    *(bottleneck, blanked, heads, shuffle, causal),
)
EXPERIMENTS: dict[str, Callable[..., Finding]] = {
    module.__name__.rpartition(".")[2]: module.experiment for module in MODULES
}

# The trained models that an experiment asks, by the names of its arguments.
MODELS: dict[str, dict[str, str]] = {
    "bottleneck": {"attending": "reverse", "fixed": "reverse-fixed", "longer": "reverse-fixed-long"},
    "blanked": {"attending": "reverse"},
}

__all__ = ["EXPERIMENTS", "MODELS", "MODULES", "Finding"]
