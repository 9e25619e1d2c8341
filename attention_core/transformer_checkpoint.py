"""Trained Transformers that come with the app: each file is made by scripts/train_checkpoints.py from its settings."""

from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from attention_core.checkpoint import stored
from attention_core.checks import check_choice
from attention_core.tasks import TASKS, Task
from attention_core.transformer import Transformer
from attention_core.transformer_training import TransformerTrainingConfig


@dataclass(frozen=True)
class TransformerCheckpoint:
    """How a stored model was trained, and how good it is."""

    task_name: str
    config: TransformerTrainingConfig
    exact: float  # share of unseen texts that it gets right, at least

    @property
    def task(self) -> Task:
        """The task it was trained on."""
        return TASKS[self.task_name]


# From a single digit on: it gets no length right that it was not trained on, neither a shorter nor a longer one.
_REVERSE = TransformerTrainingConfig(steps=1200, shortest=1, longest=10, check_every=100)

# In a folder of their own, beside the sequence models of the same tasks.
TRANSFORMERS: dict[str, TransformerCheckpoint] = {
    "transformer/reverse": TransformerCheckpoint("reverse", _REVERSE, 0.99),
}


def load_transformer(name: str = "transformer/reverse") -> Transformer:
    """The stored model of this name, a fresh copy for every caller."""
    checkpoint = TRANSFORMERS[check_choice("checkpoint", name, TRANSFORMERS)]
    model = checkpoint.config.model(checkpoint.task)
    model.load_state_dict(stored(name)["parameters"])
    return model.eval().requires_grad_(False)


def save_transformer(name: str, model: Transformer, folder: Path) -> Path:
    """Write a trained model, with the settings that made it, into the folder."""
    checkpoint, path = TRANSFORMERS[name], folder / f"{name}.pt"
    path.parent.mkdir(exist_ok=True)
    parameters = {key: value.detach().clone() for key, value in model.state_dict().items()}
    torch.save({"task": checkpoint.task_name, "config": asdict(checkpoint.config), "parameters": parameters}, path)
    return path
