"""The scripts of live trainings hold the very code that trains: the model, and each step."""

import inspect

import pytest

from attention_core.sequences.training import SeqTrainingConfig, descent
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui.export.trainings import planned
from attention_ui.live.sequences import Plan


def body(function):
    """The lines of a function below its docstring, without indentation."""
    lines = [line.strip() for line in inspect.getsource(function).splitlines()]
    return lines[next(place for place, line in enumerate(lines) if line.endswith('"""')) + 1 :]


@pytest.mark.parametrize("config", [SeqTrainingConfig(steps=2), TransformerTrainingConfig(steps=2)], ids=type)
def test_a_script_holds_the_model_and_the_steps_that_the_page_runs(config):
    plan = Plan("reverse", config)
    written = [line.strip() for line in planned(plan).plain("name", "title").text.splitlines()]
    assert set(body(type(config.trainee(plan.task)).forward)) <= set(written)
    steps = body(descent)
    learns = steps[next(place for place, line in enumerate(steps) if line.startswith("logits =")) : -1]
    assert len(learns) == 6
    first = written.index(learns[0])
    assert written[first : first + 6] == learns
