"""The two scripts of a run with one w: with attention_core, and with torch's own gradients and optimisers."""

from typing import cast

from attention_core.learning.training import Step, TrainingConfig, largest_w
from attention_ui.chapters.learned_w.runs import Trained
from attention_ui.chapters.learned_w.training_data import (
    done,
    is_restless,
    our_config,
    our_data,
    our_imports,
    plain_data,
)
from attention_ui.controls.dataset import Dataset
from attention_ui.export.snippets import written

CORE = (
    "from attention_core.learning.model import NWKernelRegression",
    "from attention_core.learning.valley import loss_at",
)
TRAINING = "from attention_core.learning.training import TrainingConfig, train"

RUN = """config = {config}
steps = list(train(trained, config))
w = torch.tensor([config.w0, *(step.w for step in steps)], dtype=torch.float64)  # (epochs + 1,)
ended = loss_at(trained, float(w[-1]), config.leave_one_out, config.loss)
losses = torch.tensor([*(step.loss for step in steps), ended], dtype=torch.float64)  # (epochs + 1,)
"""
ANSWER = """with torch.no_grad():
    {name} = NWKernelRegression(float({w}) / x_scale)(queries, *samples){part}
"""

LOSS = '''def loss_at(w):
    """{what} of squared errors of every point, {from_whom}."""
    scores = -0.5 * ((x[:, None] - x) * w) ** 2  # (points, points)
{alone}    return ((scores.softmax(-1) @ y - y) ** 2).sum(){share}
'''
ALONE = "    scores = scores.masked_fill(torch.eye(len(x), dtype=torch.bool), -torch.inf)  # or memorising would win\n"
SHARES = {"sum": "", "half": " / 2", "mean": " / len(x)"}
WORDS = {"sum": "The sum", "half": "Half the sum", "mean": "The mean"}

LOOP = """
w = torch.tensor({w0!r}, dtype=torch.float64, requires_grad=True)
optimizer = torch.optim.{optimizer}([w], lr={rate!r})
path, losses = [w.item()], []
for epoch in range({epochs}):
    optimizer.zero_grad()
    loss = loss_at(w)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())  # before the step
    path.append(w.item())  # after it
{runaway}
"""
RUNAWAY = """    if not abs(path[-1]) <= {furthest!r}:  # it ran away: from here on only the nearest key counts
        path[-1] = path[-1] if abs(path[-1]) <= 1e50 else path[-2]
        break
"""
PATH = """
# At this learning rate w jumps about, and the last digit of a number decides where to: so its path is written out.
path = {path}
losses = [loss_at(torch.tensor(each, dtype=torch.float64)).item() for each in path[:-1]]

"""
TENSORS = """w = torch.tensor(path, dtype=torch.float64)  # (epochs + 1,)
losses = torch.tensor([*losses, loss_at(w[-1]).item()], dtype=torch.float64)  # (epochs + 1,)
"""
ATTEND = '''
def attend(w):
    """The answers to all queries, and the weights they are made with."""
    weights = (-0.5 * ((queries[:, None] - keys) * w) ** 2).softmax(-1)  # (queries, keys)
    return weights @ values, weights


'''


def our_script(run: Trained, answer: str) -> str:
    """Train with attention_core, then answer."""
    dataset = run.plan.dataset
    imports = our_imports(dataset, *CORE, TRAINING)
    return f"{imports}\n\n{our_data(dataset)}\n\n{RUN.format(config=our_config(done(run)))}\n{answer}"


def plain_script(run: Trained, answer: str) -> str:
    """Train with torch alone, then answer."""
    config = done(run)
    return f"{plain_top(run.plan.dataset, config)}{_learned(run, config)}{TENSORS}\n{ATTEND}{answer}\n"


def plain_top(dataset: Dataset, config: TrainingConfig) -> str:
    """The data and the loss."""
    from_whom = "from all the others" if config.leave_one_out else "from all of them, itself too"
    loss = LOSS.format(
        what=WORDS[config.loss],
        from_whom=from_whom,
        alone=ALONE if config.leave_one_out else "",
        share=SHARES[config.loss],
    )
    return f"import torch\n\n{plain_data(dataset)}\n\n\n{loss}\n"


def _learned(run: Trained, config: TrainingConfig) -> str:
    """The loop that finds w; where the last digit decides, what it found."""
    if is_restless(run):
        steps = cast("tuple[Step, ...]", run.steps)
        return PATH.format(path=written([config.w0, *(step.w for step in steps)]))
    furthest = largest_w(run.plan.dataset.trained().samples)
    return LOOP.format(
        w0=float(config.w0),
        optimizer={"sgd": "SGD", "adam": "Adam"}[config.optimizer],
        rate=config.learning_rate,
        epochs=config.epochs,
        runaway=RUNAWAY.format(furthest=furthest) if run.steps[-1].diverged else "",
    )
