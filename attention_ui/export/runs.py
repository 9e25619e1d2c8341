"""What all live trainings give away alike: the numbers of a run, and its steps in torch alone."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import pandas as pd
import torch
from torch import Tensor

# For a script that has a model and its `sources`, `targets`; <CLIP> and <LEARNING_RATE> are filled in.
VECTOR = """theta = parameters_to_vector(model.parameters()).detach()  # all parameters as one vector
vector_to_parameters(theta, model.parameters())  # the model's own become views of it
mean, square = torch.zeros_like(theta), torch.zeros_like(theta)"""
STEP = """    logits, _ = model(sources, targets)
    loss = cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PADDING)
    gradient = torch.cat([part.flatten() for part in torch.autograd.grad(loss, list(model.parameters()))])
    gradient *= (<CLIP> / (gradient.norm() + 1e-6)).clamp(max=1)
    # Adam, with a learning rate that falls in a straight line to 0.
    mean.lerp_(gradient, 0.1)
    square.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
    size = (square / (1 - 0.999 ** (step + 1))).sqrt() + 1e-8
    theta.addcdiv_(mean, size, value=-<LEARNING_RATE> * (1 - step / STEPS) / (1 - 0.9 ** (step + 1)))
    losses.append(loss.item())"""


class Check(Protocol):
    """A look at unseen texts."""

    @property
    def step(self) -> int: ...
    @property
    def exact(self) -> float: ...


class Record(NamedTuple):
    """The numbers of a run, for its results and as tables."""

    results: dict[str, Tensor]
    tables: dict[str, pd.DataFrame]


def recorded(losses: Sequence[float], checks: Sequence[Check]) -> Record:
    """The loss of every step, and exact match at every check."""
    rows = [(check.step, check.exact) for check in checks]
    results = {
        "losses": torch.tensor(losses, dtype=torch.float64),
        "exact": torch.tensor([exact for _, exact in rows], dtype=torch.float64),
    }
    tables = {"losses": pd.DataFrame({"step": range(1, len(losses) + 1), "loss": losses})}
    if rows:
        tables["checks"] = pd.DataFrame(rows, columns=["step", "exact match"])
    return Record(results, tables)
