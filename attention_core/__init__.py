"""Attention as kernel regression, in plain torch: queries meet keys, softmax makes weights, values are averaged.

What may take long can be watched and stopped: `with watched(bar.progress): best_width(samples)`, see `progress`.
"""

from importlib import import_module
from typing import Any

# What is used most, by the module that defines it. Looked up when it is asked for: were all of it imported here, two
# threads that import different modules of ours at once could wait for each other.
HOMES = {
    "InputError": "checks",
    "Samples": "data",
    "generate": "data",
    "query_grid": "data",
    "truth": "data",
    "KERNELS": "kernels",
    "NWKernelRegression": "learning.model",
    "TrainingConfig": "learning.training",
    "train": "learning.training",
    "masked_softmax": "masks",
    "watched": "progress",
    "Pooled": "pooling",
    "attend": "pooling",
    "average": "pooling",
    "kernel_pool": "pooling",
    "predict": "regression.prediction",
    "best_width": "regression.selection",
    "loo_losses": "regression.selection",
    "AdditiveAttention": "scores",
    "DotProductAttention": "scores",
    "MultiHeadAttention": "transformer.multihead",
    "PositionalEncoding": "transformer.positions",
}


def __getattr__(name: str) -> Any:
    """A public name, from where it is defined."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    """The public names."""
    return sorted(HOMES)
