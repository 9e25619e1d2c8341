"""Trained Transformers that come with the app: each file is made by scripts/train_checkpoints.py from its settings."""

from attention_core.checks import check_choice
from attention_core.sequences.checkpoint import Checkpoint, filled, stored
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
    return filled(checkpoint.config.model(checkpoint.task), stored(name).parameters)
