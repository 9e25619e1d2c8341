"""Scripts taken home from the learned w make the numbers of the screen again."""

import inspect

import numpy as np
import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import generate
from attention_core.learning.heads import descent_together
from attention_core.learning.stretch import on_d2ls_scale
from attention_core.learning.training import TrainingConfig, descent
from attention_core.regression.frames import key_groups, summed
from attention_ui.chapters.learned_w.computation import MOST_PAIRED, at_epoch, is_restless
from attention_ui.chapters.learned_w.export import exported_both, exported_hand, exported_head_by_head, exported_run
from attention_ui.chapters.learned_w.pictures import heads_picture, w_picture
from attention_ui.chapters.learned_w.runs import Plan, Trained, epochs_of
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
    assert len(export.computation.shown["w"]) == config.epochs + 1
    assert not is_restless(trained(dataset, config))
    table = export.tables["run"]
    assert table["w"].tolist() == export.computation.shown["w"].tolist()
    assert table["loss"].tolist() == export.computation.shown["losses"].tolist()
    assert export.computation.shown["w"].tolist() in [
        list(trace.y) for trace in export.figure.data if trace.type == "scatter"
    ]


@pytest.mark.parametrize(("heads", "w0"), [(1, 5.0), (4, 1.0)])
def test_a_run_whose_last_digit_decides_is_written_out(agree, heads, w0):
    run = trained(Dataset("wave", 50, 1.0, 3) if heads > 1 else Dataset(), TrainingConfig(300, 4.0, w0), heads)
    assert is_restless(run)
    export = agree(exported_run(run, 300))
    assert "optim" not in export.alone().text, "it holds the path"


@pytest.mark.parametrize("heads", [1, 2])
def test_a_run_that_runs_away_ends_where_it_did(agree, heads):
    run = trained(Dataset("wave", 60, 100, 4), TrainingConfig(20, 10.0, 1.0), heads)
    assert run.steps[-1].diverged
    agree(exported_run(run, len(run.steps)))


def test_a_run_that_was_stopped_is_taken_as_far_as_it_came(agree):
    whole = trained(Dataset(), TrainingConfig(50))
    export = agree(exported_run(whole._replace(steps=whole.steps[:12]), 12))
    assert len(export.computation.shown["w"]) == 13
    with pytest.raises(InputError, match="nothing to download"):
        exported_run(whole._replace(steps=()), 0)


@pytest.mark.parametrize("dataset", [Dataset("step", 30, 0.2, 4), OWN])
def test_before_and_after_and_by_hand(agree, dataset):
    export = agree(exported_both(trained(dataset, TrainingConfig(20))))
    for place, name in enumerate(("before", "after")):
        assert np.array_equal(
            export.tables[name].filter(like="key_").to_numpy(), export.computation.shown[name].numpy()
        )
        assert len(drawn(export.figure, "heatmap", place).z) == 50
    hand = agree(exported_hand(Plan(dataset, TrainingConfig(leave_one_out=False, loss="mean")), 3.3))
    assert hand.computation.shown["losses"] > 0


@pytest.mark.parametrize("dataset", [Dataset("step"), MEASURED])
def test_several_heads(agree, dataset):
    run = trained(dataset, TrainingConfig(60, 0.1, 0.5, dataset.has_truth, "mean", "adam"), 3)
    export = agree(exported_run(run, 20))
    assert export.tables["run"][["share_1", "share_2", "share_3"]].to_numpy() == pytest.approx(
        export.computation.shown["shares"]
    )
    alone = agree(exported_head_by_head(run))
    assert len(alone.tables["weights"]) == 3 * 50


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("dataset", [Dataset(), MEASURED], ids=lambda dataset: dataset.name)
def test_every_frame_of_the_stage_is_what_the_page_runs_there(dataset, heads):
    run = trained(dataset, TrainingConfig(6, 0.1, 0.5), heads)
    picture = heads_picture(run, False) if heads > 1 else w_picture(dataset, epochs_of(run)["w"])
    for epoch in (0, 3, 6):
        weights = at_epoch(run, epoch).shown["weights"]
        torch.testing.assert_close(picture.heatmaps[0].frames[epoch], summed(weights, key_groups(weights.shape[1])))


def test_the_measured_points_are_on_the_scale_they_are_trained_on():
    made, (x, y, x_scale) = MEASURED.trained(), on_d2ls_scale(*MEASURED.samples())
    assert (x.tolist(), y.tolist(), x_scale) == (made.samples.x.tolist(), made.samples.y.tolist(), made.x_scale)


@pytest.mark.parametrize("heads", [1, 2])
def test_of_many_points_scripts_hold_no_pairs_of_all_and_tables_add_up_neighbours(heads):
    plan = Plan(Dataset(n=MOST_PAIRED + 1), TrainingConfig(epochs=1, loss="mean"), heads)
    export = exported_run(Trained(plan, tuple(plan.parts())), 1)
    assert "checkpoint(" in export.computation.plain("name", "title").text
    assert export.tables["weights"].shape[1] <= 101
    torch.testing.assert_close(
        torch.tensor(export.tables["weights"].iloc[:, 1:].sum(axis=1).to_numpy()), torch.ones(50, dtype=torch.float64)
    )


@pytest.mark.parametrize("heads", [1, 2])
def test_the_code_is_what_ran_down_to_the_loop(heads):
    run = trained(Dataset(), TrainingConfig(12), heads)
    text = at_epoch(run, 12).script("name", "title").text
    ran = inspect.getsource(descent_together if heads > 1 else descent)
    assert ran[ran.index("for epoch") :].strip() in text
