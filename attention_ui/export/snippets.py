"""The code that made a picture: short, runnable, with the values that are on the screen."""

import textwrap
from collections.abc import Iterable

from attention_core.data import MEASURED
from attention_ui.controls.dataset import Dataset

MOST_INLINE = 60
LINE, INDENT = 110, "    "


def written(numbers: Iterable[float]) -> str:
    """Numbers as a list in Python, with every digit they have; a long one in lines that fit a page."""
    whole = ", ".join(map(repr, numbers))
    if len(whole) < LINE:
        return f"[{whole}]"
    return "[\n" + textwrap.fill(whole, LINE, initial_indent=INDENT, subsequent_indent=INDENT) + ",\n]"


def data_imports(dataset: Dataset) -> str:
    """The imports that the lines of the data need."""
    if dataset.packed is not None:
        return "import torch\n\nfrom attention_core.data import query_grid, samples_from"
    source = "measured" if dataset.name in MEASURED else "generate"
    return f"from attention_core.data import {source}, query_grid"


def data_lines(dataset: Dataset, most: int = MOST_INLINE) -> str:
    """The lines that make the samples."""
    if dataset.packed is not None:
        return _own(dataset, most)
    if dataset.name in MEASURED:
        return f"samples = measured({dataset.name!r})"
    return f"samples = generate({dataset.name!r}, n={dataset.n}, noise={dataset.noise!r}, seed={dataset.seed})"


def _own(dataset: Dataset, most: int) -> str:
    """Own points written out, or read from the user's file where they are more."""
    if dataset.n <= most:
        x, y = (written(column.tolist()) for column in dataset.samples())
        return f"x = {x}\ny = {y}\nsamples = samples_from(*torch.tensor([x, y], dtype=torch.float64))"
    return (
        "import pandas as pd\n\ntable = pd.read_csv('your_file.csv')  # your two columns\n"
        f"columns = table[[{dataset.x_label!r}, {dataset.y_label!r}]].to_numpy()\n"
        "samples = samples_from(*torch.tensor(columns, dtype=torch.float64).T)"
    )
