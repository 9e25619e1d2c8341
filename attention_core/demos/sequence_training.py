"""What the live training of a sequence model shows, of a decoder with attention or of a Transformer."""

from itertools import islice
from typing import Any

import torch
from torch import Tensor

from attention_core.sequences.tasks import Task
from attention_core.sequences.training import Schedule, Training


def learning(task: Task, config: Schedule[Any], made: int) -> dict[str, Tensor]:
    """So many steps of a run: the loss of each, and at every check the share of unseen texts that come out right.

    The last step is always checked. Of that check also the weights (..., written, read): where the model looks in the
    task's example.
    """
    torch.set_num_threads(1)  # so small a model only loses time to more
    training = Training(task, config)
    steps = list(islice(training, made))
    checked = [step.exact for step in steps if step.exact is not None]
    exact, weights = training.check()
    if steps[-1].exact is None:  # it was stopped between two checks
        checked.append(exact)
    losses = torch.tensor([step.loss for step in steps], dtype=torch.float64)
    shown = {"steps": torch.arange(1, made + 1), "losses": losses}
    return shown | {"exact": torch.tensor(checked, dtype=torch.float64), "weights": weights}
