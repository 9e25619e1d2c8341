"""Trained models that come with the app: each file is made by scripts/train_checkpoints.py from the settings below."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor
from torch.nn import Module

from attention_core.checks import check_choice
from attention_core.sequences.seq2seq import Seq2Seq
from attention_core.sequences.tasks import TASKS, Task
from attention_core.sequences.training import Schedule, SeqTrainingConfig

SETTINGS = "settings"  # the entry of a file that is no parameter
C = TypeVar("C", bound=Schedule[Any])
M = TypeVar("M", bound=Module)


@dataclass(frozen=True)
class Checkpoint(Generic[C]):
    """How a stored model was trained, and how good it is."""

    task_name: str
    config: C
    exact: float  # share of unseen texts that it gets right, at least

    @property
    def task(self) -> Task:
        """The task it was trained on."""
        return TASKS[self.task_name]

    def settings(self) -> dict[str, Any]:
        """What its file says about it beside the parameters."""
        return {"task": self.task_name, "config": asdict(self.config)}


class Stored(NamedTuple):
    """What is in the file of a model."""

    settings: dict[str, Any]  # the name of the task, and how it was trained
    parameters: dict[str, Tensor]


_REVERSE = SeqTrainingConfig(steps=400, shortest=1, longest=10)
_DATES = SeqTrainingConfig(steps=400, embedding=16)

CHECKPOINTS: dict[str, Checkpoint[SeqTrainingConfig]] = {
    "reverse": Checkpoint("reverse", _REVERSE, 0.99),
    "reverse-fixed": Checkpoint("reverse", replace(_REVERSE, attention=False), 0.4),
    "reverse-fixed-long": Checkpoint("reverse", replace(_REVERSE, attention=False, steps=3_000), 0.95),
    "dates": Checkpoint("dates", _DATES, 0.99),
    "dates-fixed": Checkpoint("dates", replace(_DATES, attention=False), 0.85),
}


def load(name: str) -> Seq2Seq:
    """The stored model of this name, a fresh copy for every caller."""
    checkpoint = CHECKPOINTS[check_choice("checkpoint", name, CHECKPOINTS)]
    return filled(checkpoint.config.model(checkpoint.task), stored(name).parameters)


def parameters_of(model: Module) -> dict[str, Tensor]:
    """A copy of every parameter of a model, by its name."""
    return {name: value.detach().clone() for name, value in model.state_dict().items()}


def filled(model: M, parameters: Mapping[str, Tensor]) -> M:
    """The model with these parameters in place of its own; it is not to be trained on."""
    model.load_state_dict(parameters)
    return model.eval().requires_grad_(False)


def stored(name: str) -> Stored:
    """What is in the file of this name."""
    with files("attention_core").joinpath("checkpoints", f"{name}.npz").open("rb") as file:
        return read(file)


def parameters_in(name: str) -> dict[str, Tensor]:
    """The parameters in the file of this name."""
    return stored(name).parameters


def read(file: Any) -> Stored:
    """What is in a model's file, which is given open or by its path."""
    with np.load(file, allow_pickle=False) as content:
        parameters = {key: torch.from_numpy(content[key]) for key in content.files if key != SETTINGS}
        return Stored(json.loads(str(content[SETTINGS])), parameters)


def save(name: str, checkpoint: Checkpoint[Any], model: Module, folder: Path) -> Path:
    """Write a trained model, with the settings that made it, into the folder."""
    path = folder / f"{name}.npz"
    path.parent.mkdir(exist_ok=True)
    arrays: dict[str, Any] = {key: value.numpy() for key, value in parameters_of(model).items()}
    arrays[SETTINGS] = np.array(json.dumps(checkpoint.settings()))
    np.savez(path, **arrays)
    return path
