"""The two scripts of a run with several heads: with attention_core, and with torch's own gradients and optimisers."""

from typing import cast

import torch
from torch import Tensor

from attention_core.checks import InputError
from attention_core.learning.heads import heads_error
from attention_core.learning.training import LOSSES, TrainingConfig, largest_w
from attention_ui.chapters.learned_w.runs import MixedStep, Trained
from attention_ui.chapters.learned_w.training_data import (
    done,
    is_restless,
    our_config,
    our_data,
    our_imports,
    plain_data,
)
from attention_ui.export.points import plain_tensor

OURS = """config = {config}
steps = list(train_heads(trained, HeadsConfig({starts}, config)))
w = torch.stack([torch.tensor({starts}, dtype=torch.float64), *(step.w for step in steps)])  # (E + 1, H)
shares = torch.stack([torch.full_like(w[0], 1 / {heads}), *(step.shares for step in steps)])
ended = heads_error(trained, w[-1], shares[-1].log(), config.leave_one_out)[0]{share}
losses = torch.tensor([*(step.loss for step in steps), ended], dtype=torch.float64)  # (epochs + 1,)

"""
SHARES = {"sum": "", "half": " / 2", "mean": " / len({x})"}

LOSS = '''def attended(queries, keys, w):
    """The weights of every head."""
    return (-0.5 * ((queries[:, None] - keys) * w[:, None, None]) ** 2).softmax(-1)  # (heads, queries, keys)


def loss_at(w, shares):
    """Squared errors of every point, predicted by all heads together."""
    scores = -0.5 * ((x[:, None] - x) * w[:, None, None]) ** 2  # (heads, points, points)
{alone}    return ((shares @ (scores.softmax(-1) @ y) - y) ** 2).sum(){share}
'''
ALONE = "    scores = scores.masked_fill(torch.eye(len(x), dtype=torch.bool), -torch.inf)  # none attends to itself\n"
LOOP = """

w = torch.tensor({starts}, dtype=torch.float64, requires_grad=True)
logits = torch.zeros({heads}, dtype=torch.float64, requires_grad=True)
optimizer = torch.optim.{optimizer}([w, logits], lr={rate!r})
path, mixed, losses = [w.tolist()], [logits.softmax(0).tolist()], []
for epoch in range({epochs}):
    optimizer.zero_grad()
    loss = loss_at(w, logits.softmax(0))
    loss.backward()
    optimizer.step()
    losses.append(loss.item())  # before the step
    path.append(w.tolist())  # after it
    mixed.append(logits.softmax(0).tolist())
{runaway}
w = torch.tensor(path, dtype=torch.float64)  # (E + 1, H)
shares = torch.tensor(mixed, dtype=torch.float64)
"""
RUNAWAY = """    if not (w.isfinite().all() and w.abs().max() <= {furthest!r}):  # it ran away
        if not (w.isfinite().all() and logits.isfinite().all() and w.abs().max() <= 1e50):
            path[-1], mixed[-1] = path[-2], mixed[-2]
        break
"""
PATH = """

# At this learning rate w jumps about, and the last digit of a number decides where to: so its path is written out.
w = {w}.view(-1, {heads})
shares = {shares}.view(-1, {heads})
losses = [loss_at(each, mix).item() for each, mix in zip(w[:-1], shares[:-1])]
"""
LAST = "losses = torch.tensor([*losses, loss_at(w[-1], shares[-1]).item()], dtype=torch.float64)  # (epochs + 1,)\n\n"


def epochs_of(run: Trained) -> tuple[Tensor, Tensor, Tensor]:
    """Every head's w and share (E + 1, H), and the loss (E + 1,), from before the first epoch on."""
    if not run.steps:
        raise InputError("No epoch is finished yet, so there is nothing to take home: let the run go on first.")
    plan, steps = run.plan, cast("tuple[MixedStep, ...]", run.steps)
    w = torch.tensor([plan.starts, *(step.w for step in steps)], dtype=torch.float64)
    even = (1 / plan.heads,) * plan.heads
    shares = torch.tensor([even, *(step.shares for step in steps)], dtype=torch.float64)
    samples, config = plan.dataset.trained().samples, plan.config
    last, _ = heads_error(samples, w[-1], shares[-1].log(), config.leave_one_out)
    losses = [*(step.loss for step in steps), LOSSES[config.loss](len(samples.x)) * last]
    return w, shares, torch.tensor(losses, dtype=torch.float64)


def our_script(run: Trained, answering: str) -> str:
    """Train with attention_core."""
    dataset, config = run.plan.dataset, done(run)
    used = ", ".join(sorted(["HeadsConfig", "heads_error", "train_heads", answering], key=_as_sorted))
    imports = our_imports(
        dataset,
        f"from attention_core.learning.heads import {used}",
        "from attention_core.learning.training import TrainingConfig",
    )
    share = SHARES[config.loss].format(x="trained.x")
    trained = OURS.format(config=our_config(config), starts=run.plan.starts, heads=run.plan.heads, share=share)
    return f"{imports}\n\n{our_data(dataset)}\n\n{trained}"


def _as_sorted(name: str) -> tuple[bool, str]:
    return name[0].islower(), name


def plain_script(run: Trained) -> str:
    """Train with torch alone."""
    config = done(run)
    share = SHARES[config.loss].format(x="x")
    loss = LOSS.format(alone=ALONE if config.leave_one_out else "", share=share)
    return f"import torch\n\n{plain_data(run.plan.dataset)}\n\n\n{loss}{_learned(run, config)}{LAST}"


def _learned(run: Trained, config: TrainingConfig) -> str:
    """The loop that finds every w and share; where the last digit decides, what it found."""
    if is_restless(run):
        w, shares, _ = epochs_of(run)
        numbers = {"w": plain_tensor(w.flatten()), "shares": plain_tensor(shares.flatten())}
        return PATH.format(heads=run.plan.heads, **numbers)
    furthest = largest_w(run.plan.dataset.trained().samples)
    return LOOP.format(
        starts=run.plan.starts,
        heads=run.plan.heads,
        optimizer={"sgd": "SGD", "adam": "Adam"}[config.optimizer],
        rate=config.learning_rate,
        epochs=config.epochs,
        runaway=RUNAWAY.format(furthest=furthest) if run.steps[-1].diverged else "",
    )
