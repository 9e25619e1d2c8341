"""Trained Transformers that come with the app: each file is made by scripts/train_checkpoints.py from its settings."""

from pathlib import Path

from attention_core.checks import check_choice
from attention_core.sequences.checkpoint import Checkpoint, filled, write
from attention_core.transformer.model import Transformer
from attention_core.transformer.training import TransformerTrainingConfig

# From a single digit on: it gets no length right that it was not trained on, neither a shorter nor a longer one.
_REVERSE = TransformerTrainingConfig(steps=1200, shortest=1, longest=10, check_every=100)

# In a folder of their own, beside the sequence models of the same tasks.
TRANSFORMERS: dict[str, Checkpoint[TransformerTrainingConfig]] = {
    "transformer/reverse": Checkpoint("reverse", _REVERSE, 0.99),
}


def load_transformer(name: str = "transformer/reverse") -> Transformer:
    """The stored model of this name, a fresh copy for every caller."""
    checkpoint = TRANSFORMERS[check_choice("checkpoint", name, TRANSFORMERS)]
    return filled(checkpoint.config.model(checkpoint.task), name)


def save_transformer(name: str, model: Transformer, folder: Path) -> Path:
    """Write a trained model, with the settings that made it, into the folder."""
    return write(TRANSFORMERS[name], model, folder / f"{name}.pt")
