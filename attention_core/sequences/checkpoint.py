"""Trained models that come with the app: each file is made by scripts/train_checkpoints.py from the settings below."""

from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from torch.nn import Module

from attention_core.checks import check_choice
from attention_core.sequences.schedule import Schedule
from attention_core.sequences.seq2seq import Seq2Seq
from attention_core.sequences.tasks import TASKS, Task
from attention_core.sequences.training import SeqTrainingConfig

C = TypeVar("C", bound=Schedule)
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


_REVERSE = SeqTrainingConfig(steps=400, shortest=1, longest=10)
_DATES = SeqTrainingConfig(steps=400, embedding=16)

CHECKPOINTS: dict[str, Checkpoint[SeqTrainingConfig]] = {
    "reverse": Checkpoint("reverse", _REVERSE, 0.99),
    "reverse-fixed": Checkpoint("reverse", replace(_REVERSE, attention=False), 0.4),
    "dates": Checkpoint("dates", _DATES, 0.99),
    "dates-fixed": Checkpoint("dates", replace(_DATES, attention=False), 0.85),
}


def load(name: str) -> Seq2Seq:
    """The stored model of this name, a fresh copy for every caller."""
    checkpoint = CHECKPOINTS[check_choice("checkpoint", name, CHECKPOINTS)]
    return filled(checkpoint.config.model(checkpoint.task), name)


def filled(model: M, name: str) -> M:
    """A fresh model with the parameters from the file of this name; it is not to be trained on."""
    model.load_state_dict(stored(name)["parameters"])
    return model.eval().requires_grad_(False)


def stored(name: str) -> dict[str, Any]:
    """What is in the file: the name of the task, the settings of the training, and the parameters."""
    with files("attention_core").joinpath("checkpoints", f"{name}.pt").open("rb") as file:
        content: dict[str, Any] = torch.load(file, weights_only=True)
    return content


def save(name: str, model: Seq2Seq, folder: Path) -> Path:
    """Write a trained model, with the settings that made it, into the folder."""
    return write(CHECKPOINTS[name], model, folder / f"{name}.pt")


def write(checkpoint: Checkpoint[C], model: Module, path: Path) -> Path:
    """Write a model of any kind to its file."""
    path.parent.mkdir(exist_ok=True)
    parameters = {key: value.detach().clone() for key, value in model.state_dict().items()}
    torch.save({"task": checkpoint.task_name, "config": asdict(checkpoint.config), "parameters": parameters}, path)
    return path
