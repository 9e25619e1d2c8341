"""The picture of a run: the alignment of one fixed example, and the curves of loss and exact match."""

import torch
from torch import Tensor

from attention_core.sequences.training import SeqTrainingConfig
from attention_ui.chapters.bahdanau.steps import SHOWN
from attention_ui.live.sequences import Check, Plan, SequenceRun
from attention_ui.numbers import short
from attention_ui.pictures.graph import Axis, Graph, Trace
from attention_ui.pictures.heatmap import Heatmap, Names
from attention_ui.pictures.picture import Picture, Player, Readout, pack

NAMES = Names("written", "read", "weight", "written", "read")
LOWEST, HIGHEST = 1e-3, 5.0  # of the axis of the loss, which must not jump while it trains


def replay(run: SequenceRun[SeqTrainingConfig]) -> bytes:
    """The whole run so far, with a play bar that stands at its end."""
    player = Player(frames_per_second=10, unit="check", label="Replay", first=len(run.checks) - 1)
    return pack(training_picture(run.plan, run.checks, run.losses, player if len(run.checks) > 1 else None))


def latest(run: SequenceRun[SeqTrainingConfig]) -> bytes:
    """The run as it is now, without a play bar."""
    return pack(training_picture(run.plan, run.checks[-1:], run.losses, checked=run.checks))


def training_picture(
    plan: Plan[SeqTrainingConfig],
    checks: list[Check],
    losses: list[float],
    player: Player | None = None,
    checked: list[Check] | None = None,
) -> Picture:
    """A frame for each of these checks, and the curves of all that was checked."""
    task = plan.task
    read = tuple(SHOWN.get(character, character) for character in task.example)
    frames = torch.stack([check.weights for check in checks])  # (F, T, S)
    panel = Heatmap(f"Weights for “{task.example}”", frames, (*task.solve(task.example), "end"), read)
    return Picture(
        (panel,),
        tuple(f"step {check.step:,} of {plan.config.steps:,}" for check in checks),
        readouts=(
            *(() if player else (Readout("step", tuple(f"{check.step:,}" for check in checks)),)),  # a player tells it
            Readout("loss", tuple(short(check.loss) for check in checks)),
            Readout("exact match", tuple(f"{check.exact:.0%}" for check in checks)),
        ),
        graphs=(loss_graph(plan, checks, losses), exact_graph(plan, checks, checked or checks)),
        player=player,
        low=0.0,
        high=1.0,
        names=NAMES,
        height=270,
        fills=True,
        beside=True,
    )


def loss_graph(plan: Plan[SeqTrainingConfig], checks: list[Check], losses: list[float]) -> Graph:
    """The loss of every step's batch."""
    drawn = losses or [HIGHEST]
    lowest = LOWEST if min(drawn) >= LOWEST else LOWEST / 100
    ball = _numbers([drawn[0] if check.step == 0 else check.loss for check in checks])
    trace = Trace("loss", "prediction", torch.arange(1.0, len(losses) + 1), _numbers(losses))
    text = f"Loss of every step, {_ends(losses)}."
    axis = Axis("loss", lowest, HIGHEST, log=True)
    return Graph(
        "Loss: cross-entropy of a symbol, in nats", _steps(plan), axis, (trace,), (_at(checks), ball), text=text
    )


def exact_graph(plan: Plan[SeqTrainingConfig], checks: list[Check], checked: list[Check]) -> Graph:
    """The share of unseen texts that came out right, at every check."""
    shares = [check.exact for check in checked]
    trace = Trace("exact match", "reference", _at(checked), _numbers(shares))
    ball = _at(checks), _numbers([check.exact for check in checks])
    text = f"Exact match on unseen texts at every check, {_ends(shares)}."
    title = f"Exact match on {plan.config.check_count} unseen texts"
    return Graph(title, _steps(plan), Axis("share", 0.0, 1.0), (trace,), ball, text=text)


def _steps(plan: Plan[SeqTrainingConfig]) -> Axis:
    return Axis("step", 0.0, float(plan.config.steps))


def _at(checks: list[Check]) -> Tensor:
    return _numbers([check.step for check in checks])


def _numbers(values: list[float] | list[int]) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def _ends(values: list[float]) -> str:
    return f"from {short(values[0])} to {short(values[-1])}" if values else "0 so far"
