"""Train the models that come with the app and store them: python -m scripts.train_checkpoints [name ...]

All is drawn from the seeds in the checkpoint modules of attention_core, on one thread: a second run
makes the same models.
"""

import sys
from pathlib import Path
from typing import Any

import torch

from attention_core.sequences.checkpoint import CHECKPOINTS, Checkpoint, save
from attention_core.sequences.decoding import exact_match
from attention_core.sequences.tasks import strings
from attention_core.sequences.training import train_steps
from attention_core.transformer.checkpoint import TRANSFORMERS

FOLDER = Path(__file__).parent.parent / "attention_core" / "checkpoints"
EVERY: dict[str, Checkpoint[Any]] = {**CHECKPOINTS, **TRANSFORMERS}


def make(name: str, folder: Path = FOLDER) -> None:
    """Train one model, store it, and say how good it is."""
    checkpoint = EVERY[name]
    task, config = checkpoint.task, checkpoint.config
    training = train_steps(task, config)
    for progress in training:
        if progress.exact is not None:
            print(f"{name}: step {progress.step}, loss {progress.loss:.4f}, exact {progress.exact:.3f}", flush=True)
    path = save(name, checkpoint, training.model, folder)
    exact = exact_match(training.model, task, strings(task, 1000, 1, "unseen", config.lengths))
    print(f"{name}: {exact:.3f} of 1,000 unseen texts right, {path.stat().st_size / 1000:.0f} kB")
    if exact < checkpoint.exact:
        raise SystemExit(f"{name} was to reach {checkpoint.exact}.")


if __name__ == "__main__":
    torch.set_num_threads(1)
    for chosen in sys.argv[1:] or EVERY:
        make(chosen)
