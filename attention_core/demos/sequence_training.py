"""What the live training of a sequence model shows, of a decoder with attention or of a Transformer."""

from itertools import islice
from typing import Any

import torch
from torch import Tensor

from attention_core.sequences.tasks import Task
from attention_core.sequences.training import Schedule, Training


def learning(task: Task, config: Schedule[Any], made: int) -> dict[str, Tensor]:
    """So many steps of a run: the loss of each, and at every check the share of unseen texts that come out right.

    Of the last check also the weights (..., written, read): where the model looks in the task's example.
    """
    torch.set_num_threads(1)  # so small a model only loses time to more
    steps = list(islice(Training(task, config), made))
    losses = torch.tensor([step.loss for step in steps], dtype=torch.float64)
    exact = torch.tensor([step.exact for step in steps if step.exact is not None], dtype=torch.float64)
    shown = {"steps": torch.arange(1, made + 1), "losses": losses, "exact": exact}
    weights = [step.weights for step in steps if step.weights is not None]
    return shown | ({"weights": weights[-1]} if weights else {})
