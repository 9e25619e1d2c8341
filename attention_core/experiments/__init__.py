"""Experiments that decide an exercise: one file each, in the order of the story, all called `experiment(seed)`.

A file stands alone, since a page shows it as the code that made its picture.
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
EXPERIMENTS: dict[str, Callable[[int], Finding]] = {
    module.__name__.rpartition(".")[2]: module.experiment for module in MODULES
}

__all__ = ["EXPERIMENTS", "MODULES", "Finding"]
