"""What all live trainings give away alike: the numbers of a run, and the code that trains the same model again."""

from inspect import signature
from typing import Any

import pandas as pd
import torch

from attention_core.checks import InputError
from attention_core.sequences.plain_decoder import Decoder
from attention_core.sequences.training import learning
from attention_core.transformer.plain_transformer import Transformer
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.export.computation import Computation
from attention_ui.export.writing import Call, Field, Known
from attention_ui.live.sequences import Plan, SequenceRun

SETTINGS = ("batch", "learning_rate", "clip", "check_every", "check_count", "seed")
DRAWING = "graphs", {"x": Field("steps"), "lines": {"loss": Field("losses")}, "across": "step"}


def planned(plan: Plan[Any], made: int | None = None) -> Computation:
    """A run of this plan from its seed: so many steps, or all."""
    task, config = plan.task, plan.config
    call = Call(
        learning,
        model=_model(plan),
        draw=task.draw,
        solve=task.solve,
        lengths=tuple(config.lengths),
        alphabet=task.alphabet,
        written=task.written,
        example=task.example,
        steps=config.steps,
        made=config.steps if made is None else made,
        **{name: getattr(config, name) for name in SETTINGS},
    )
    return Computation(call, *DRAWING)


def _model(plan: Plan[Any]) -> Call:
    """The call that makes the model of a run, its parameters drawn from the seed."""
    symbols = {"read": len(plan.task.source), "written": len(plan.task.target)}
    small = Transformer if isinstance(plan.config, TransformerTrainingConfig) else Decoder
    shape = [name for name in signature(small).parameters if name not in symbols]
    return Call(small, **symbols, **{name: getattr(plan.config, name) for name in shape})


def made_by(run: SequenceRun[Any] | None) -> Computation:
    """The same for a run that was watched: its numbers are known."""
    if run is None or not run.steps:
        raise InputError("Train first, then there is something to download.")
    checks = run.checks[1:]  # the first is the look at what was not trained yet
    known = {
        "steps": torch.arange(1, run.step + 1),
        "losses": torch.tensor(run.losses, dtype=torch.float64),
        "exact": torch.tensor([check.exact for check in checks], dtype=torch.float64),
        "weights": checks[-1].weights,
    }
    call = planned(run.plan, run.step).call
    return Computation(Known(known, call.function, **call.named), *DRAWING)


def run_tables(run: SequenceRun[Any]) -> dict[str, pd.DataFrame]:
    """The loss of every step, and exact match at every check."""
    tables = {"losses": pd.DataFrame({"step": range(1, run.step + 1), "loss": run.losses})}
    if rows := [(check.step, check.exact) for check in run.checks[1:]]:
        tables["checks"] = pd.DataFrame(rows, columns=["step", "exact match"])
    return tables
