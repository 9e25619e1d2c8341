"""What both kinds of scripts of a training run begin with: its data, its settings, and whether they repeat it."""

from dataclasses import fields, replace

import torch
from torch import Tensor

from attention_core.data import MOST_READ
from attention_core.learning.heads import HeadsConfig, train_heads
from attention_core.learning.stretch import MOST_TRAINED, SPREAD, USUAL
from attention_core.learning.training import TrainingConfig, train
from attention_ui.chapters.learned_w.runs import Trained
from attention_ui.controls.dataset import Dataset
from attention_ui.export.points import plain_points, plain_queries
from attention_ui.export.snippets import data_imports, data_lines

NUDGE, APART = 1e-13, 1e-10  # a start that is off by so little must not lead elsewhere by more than this
MOST_CHECKED = 200_000_000  # pairs times epochs, about a second

STRETCHED = """
# Measured points are stretched to x from 0 to 5, where a learning rate means the same as on d2l's points.
x_scale = (float(keys[-1]) - float(keys[0])) / 5
y_scale = {y_scale}
x, y = (keys - float(keys[0])) / x_scale, (values - values.mean()) / y_scale"""
THINNED = """
some = torch.linspace(0, len(keys) - 1, {most}, dtype=torch.float64).round().long()
seen, keys, values = (keys, values), keys[some], values[some]  # a run takes so many points at the most"""


def our_imports(dataset: Dataset, *modules: str) -> str:
    """The imports of a script that uses attention_core, in order; torch is always among them."""
    stretch = [] if dataset.has_truth else ["from attention_core.learning.stretch import stretched"]
    found = {line for line in data_imports(dataset).splitlines() if line.startswith("from")}
    return "\n".join(["import torch", "", *sorted({*found, *modules, *stretch})])


def our_data(dataset: Dataset) -> str:
    """Lines that make samples, queries, what the run learns from (`trained`), and the scale of its x."""
    if dataset.has_truth:
        return f"{data_lines(dataset)}\nqueries, trained, x_scale = query_grid(), samples, 1.0"
    return (
        f"{data_lines(dataset, MOST_READ)}\nqueries, on_scale = query_grid(samples), stretched(samples)\n"
        "trained, x_scale = on_scale.samples, on_scale.x_scale  # where learning rates mean the same as on d2l's points"
    )


def our_config(config: TrainingConfig) -> str:
    """The settings as the call that makes them."""
    return f"TrainingConfig({', '.join(f'{field.name}={getattr(config, field.name)!r}' for field in fields(config))})"


def plain_data(dataset: Dataset) -> str:
    """The same in torch alone: keys and values as seen, queries, and x, y as learned from."""
    seen = f"{plain_points(dataset)}\n{plain_queries(dataset)}"
    if dataset.has_truth:
        return f"{seen}\nx, y, x_scale = keys, values, 1.0"
    thinned = THINNED.format(most=MOST_TRAINED) if len(dataset.samples().x) > MOST_TRAINED else ""
    spread = f"float(values.std(correction=0)) / ({SPREAD} * ({USUAL} / len(keys)) ** 0.5)"
    level = dataset.trained().y_scale == 1.0  # values that are all equal have no spread to go by
    back = "\nkeys, values = seen" if thinned else ""
    return f"{seen}\n{thinned}{STRETCHED.format(y_scale='1.0' if level else spread)}{back}"


def done(run: Trained) -> TrainingConfig:
    """The settings of the epochs that were trained: a run may have been stopped."""
    return replace(run.plan.config, epochs=max(len(run.steps), 1))


def is_restless(run: Trained) -> bool:
    """Whether w jumps about so that the last digit decides where to: then only the very same arithmetic repeats it."""
    samples, config = run.plan.dataset.trained().samples, done(run)
    if len(samples.x) ** 2 * len(run.steps) * run.plan.heads > MOST_CHECKED:
        return False
    if run.plan.heads == 1:
        other = [[step.w] for step in train(samples, replace(config, w0=config.w0 * (1 + NUDGE)))]
    else:
        starts = tuple(start * (1 + NUDGE) for start in run.plan.starts)
        other = [step.w.tolist() for step in train_heads(samples, HeadsConfig(starts, config))]
    here = _rows([step.w for step in run.steps])
    there = _rows(other)
    return here.shape != there.shape or bool(((here - there).abs() > APART * here.abs().clamp(min=1)).any())


def _rows(w: list[float] | list[list[float]] | list[float | tuple[float, ...]]) -> Tensor:
    return torch.tensor(w, dtype=torch.float64).reshape(len(w), -1)
