"""Scripts taken home from the learned w make the numbers of the screen again."""

import numpy as np
import pytest

from attention_core.checks import InputError
from attention_core.data import generate
from attention_core.learning.training import TrainingConfig
from attention_ui.chapters.learned_w.export import exported_both, exported_hand, exported_run
from attention_ui.chapters.learned_w.export_heads import exported_head_by_head, exported_heads
from attention_ui.chapters.learned_w.runs import Plan, Trained
from attention_ui.chapters.learned_w.training_data import is_restless
from attention_ui.controls.dataset import Dataset
from tests.attention_ui.export.exported import drawn

MEASURED = Dataset.measured("motorcycle")
OWN = Dataset.own(generate(n=200, seed=3), "dose", "it's 'quoted'", "a file")


def trained(dataset, config, heads=1):
    plan = Plan(dataset, config, heads)
    return Trained(plan, tuple(part for part in plan.parts() if not isinstance(part, float)))


CONFIGS = [
    TrainingConfig(),
    TrainingConfig(30, 0.5, 0.375558, True, "half", "sgd"),
    TrainingConfig(40, 0.2, -2.0, False, "mean", "adam"),
]


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("dataset", [Dataset(), MEASURED])
def test_a_run_is_trained_again_step_by_step(agree, dataset, config):
    export = agree(exported_run(trained(dataset, config), 7))
    assert len(export.results["w"]) == config.epochs + 1
    assert not is_restless(trained(dataset, config))
    table = export.tables["run"]
    assert table["w"].tolist() == export.results["w"].tolist()
    assert table["loss"].tolist() == export.results["losses"].tolist()
    assert export.results["w"].tolist() in [list(trace.y) for trace in export.figure.data if trace.type == "scatter"]


@pytest.mark.parametrize(("heads", "w0"), [(1, 5.0), (4, 1.0)])
def test_a_run_whose_last_digit_decides_is_written_out(agree, heads, w0):
    run = trained(Dataset("wave", 50, 1.0, 3) if heads > 1 else Dataset(), TrainingConfig(300, 4.0, w0), heads)
    assert is_restless(run)
    agree((exported_run if heads == 1 else exported_heads)(run, 300))


@pytest.mark.parametrize("heads", [1, 2])
def test_a_run_that_runs_away_ends_where_it_did(agree, heads):
    run = trained(Dataset("wave", 60, 100, 4), TrainingConfig(20, 10.0, 1.0), heads)
    assert run.steps[-1].diverged
    agree((exported_run if heads == 1 else exported_heads)(run, len(run.steps)))


def test_a_run_that_was_stopped_is_taken_as_far_as_it_came(agree):
    whole = trained(Dataset(), TrainingConfig(50))
    export = agree(exported_run(whole._replace(steps=whole.steps[:12]), 12))
    assert len(export.results["w"]) == 13
    with pytest.raises(InputError, match="nothing to take home"):
        exported_run(whole._replace(steps=()), 0)


@pytest.mark.parametrize("dataset", [Dataset("step", 30, 0.2, 4), OWN])
def test_before_and_after_and_by_hand(agree, dataset):
    export = agree(exported_both(trained(dataset, TrainingConfig(20))))
    for place, name in enumerate(("before", "after")):
        assert np.array_equal(export.tables[name].filter(like="key_").to_numpy(), export.results[name].numpy())
        assert len(drawn(export.figure, "heatmap", place).z) == 50
    hand = agree(exported_hand(Plan(dataset, TrainingConfig(leave_one_out=False, loss="mean")), 3.3))
    assert hand.results["loss"] > 0


@pytest.mark.parametrize("dataset", [Dataset("step"), MEASURED])
def test_several_heads(agree, dataset):
    run = trained(dataset, TrainingConfig(60, 0.1, 0.5, dataset.has_truth, "mean", "adam"), 3)
    export = agree(exported_heads(run, 20))
    assert export.tables["run"][["share_1", "share_2", "share_3"]].to_numpy() == pytest.approx(export.results["shares"])
    alone = agree(exported_head_by_head(run))
    assert len(alone.tables["weights"]) == 3 * 50
