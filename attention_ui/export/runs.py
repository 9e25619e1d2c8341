"""What all live trainings give away alike: the numbers of a run, and its steps in torch alone."""

from typing import Any, Generic, NamedTuple, TypeVar

import pandas as pd
import torch
from torch import Tensor

from attention_core.checks import InputError
from attention_ui.live.sequences import SequenceRun

# For a script that has a model and its `sources`, `targets`; <CLIP> and <LEARNING_RATE> are filled in.
VECTOR = """theta = parameters_to_vector(model.parameters()).detach()  # all parameters as one vector
vector_to_parameters(theta, model.parameters())  # the model's own become views of it
adam = torch.optim.Adam([theta])"""
STEP = """    logits, _ = model(sources, targets)
    loss = cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PADDING)
    theta.grad = torch.cat([part.flatten() for part in torch.autograd.grad(loss, list(model.parameters()))])
    nn.utils.clip_grad_norm_([theta], <CLIP>)
    adam.param_groups[0]["lr"] = <LEARNING_RATE> * (1 - step / STEPS)  # falls in a straight line to 0
    adam.step()
    losses.append(loss.item())"""


R = TypeVar("R", bound=SequenceRun[Any])


class Record(NamedTuple, Generic[R]):
    """A run that has made a step, and its numbers for the results and as tables."""

    run: R
    results: dict[str, Tensor]
    tables: dict[str, pd.DataFrame]


def recorded(run: R | None, weights: str) -> Record[R]:
    """The loss of every step, exact match at every check, and the weights of the last check by this name."""
    if run is None or not run.steps:
        raise InputError("Train first, then there is something to take home.")
    losses, checks = run.losses, run.checks[1:]  # the first is the look at what was not trained yet
    rows = [(check.step, check.exact) for check in checks]
    results = {
        "losses": torch.tensor(losses, dtype=torch.float64),
        "exact": torch.tensor([exact for _, exact in rows], dtype=torch.float64),
    }
    tables = {"losses": pd.DataFrame({"step": range(1, len(losses) + 1), "loss": losses})}
    if checks:
        results[weights] = checks[-1].weights
        tables["checks"] = pd.DataFrame(rows, columns=["step", "exact match"])
    return Record(run, results, tables)
