"""Trained models that come with the app: each file is made by scripts/train_checkpoints.py from the settings below."""

from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch

from attention_core.checks import check_choice
from attention_core.seq2seq import Seq2Seq
from attention_core.seq_training import SeqTrainingConfig
from attention_core.tasks import TASKS, Task


@dataclass(frozen=True)
class Checkpoint:
    """How a stored model was trained, and how good it is."""

    task_name: str
    config: SeqTrainingConfig
    exact: float  # share of unseen texts that it gets right, at least

    @property
    def task(self) -> Task:
        """The task it was trained on."""
        return TASKS[self.task_name]


_REVERSE = SeqTrainingConfig(steps=400, shortest=1, longest=10)
_DATES = SeqTrainingConfig(steps=400, embedding=16)

CHECKPOINTS: dict[str, Checkpoint] = {
    "reverse": Checkpoint("reverse", _REVERSE, 0.99),
    "reverse-fixed": Checkpoint("reverse", replace(_REVERSE, attention=False), 0.4),
    "dates": Checkpoint("dates", _DATES, 0.99),
    "dates-fixed": Checkpoint("dates", replace(_DATES, attention=False), 0.85),
}


def load(name: str) -> Seq2Seq:
    """The stored model of this name, a fresh copy for every caller."""
    checkpoint = CHECKPOINTS[check_choice("checkpoint", name, CHECKPOINTS)]
    model = checkpoint.config.model(checkpoint.task)
    model.load_state_dict(stored(name)["parameters"])
    return model.eval().requires_grad_(False)


def stored(name: str) -> dict[str, Any]:
    """What is in the file: the name of the task, the settings of the training, and the parameters."""
    with files("attention_core").joinpath("checkpoints", f"{name}.pt").open("rb") as file:
        content: dict[str, Any] = torch.load(file, weights_only=True)
    return content


def save(name: str, model: Seq2Seq, folder: Path) -> Path:
    """Write a trained model, with the settings that made it, into the folder."""
    checkpoint, path = CHECKPOINTS[name], folder / f"{name}.pt"
    parameters = {key: value.detach().clone() for key, value in model.state_dict().items()}
    torch.save({"task": checkpoint.task_name, "config": asdict(checkpoint.config), "parameters": parameters}, path)
    return path
