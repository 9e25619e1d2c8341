"""The code of an experiment: its own file, and the lines that run it on the seed on the screen."""

import inspect
import sys

from attention_core.experiments import EXPERIMENTS


def snippet(name: str, seed: int) -> str:
    """A script that prints the numbers of the picture."""
    source = inspect.getsource(sys.modules[EXPERIMENTS[name].__module__])
    return f"""{source}

for name, number in experiment(seed={seed}).numbers.items():
    print(f"{{name}}: {{number:.6g}}")
"""
