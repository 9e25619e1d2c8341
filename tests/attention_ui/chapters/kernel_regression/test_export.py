"""Scripts taken home from the lab, the learned w, the heatmaps and the batches make the numbers of the screen again."""

import contextlib
import io
import sys

import numpy as np
import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import FUNCTIONS, generate
from attention_core.kernels import KERNELS
from attention_core.learning.training import TrainingConfig
from attention_core.regression.estimator import Estimator
from attention_ui.chapters.batches import export as batches
from attention_ui.chapters.batches.choices import Sizes
from attention_ui.chapters.heatmaps.choices import Chosen
from attention_ui.chapters.heatmaps.export import exported_lab, exported_patterns
from attention_ui.chapters.heatmaps.export_own import exported_own
from attention_ui.chapters.heatmaps.own_matrix import OwnMatrix
from attention_ui.chapters.learned_w.export import exported_both, exported_hand, exported_run
from attention_ui.chapters.learned_w.export_heads import exported_head_by_head, exported_heads
from attention_ui.chapters.learned_w.runs import Plan, Trained
from attention_ui.chapters.learned_w.training_data import is_restless
from attention_ui.controls.dataset import Dataset
from attention_ui.export import files
from attention_ui.export.lab import exported

OURS = ("attention_core", "attention_ui")
MEASURED = Dataset.measured("motorcycle")
OWN = Dataset.own(generate(n=200, seed=3), "dose", "it's 'quoted'", "a file")


def names_of(script):
    names = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(script, "taken home", "exec"), names)  # our own text, built from our own values
    assert printed.getvalue()
    return names


@pytest.fixture
def agree(monkeypatch):
    """A function that runs both scripts, one of them where there is no attention_core, and compares their numbers."""

    def compare(export):
        found = [names_of(export.script)]
        with monkeypatch.context() as alone:
            for module in [name for name in sys.modules if name.partition(".")[0] in OURS]:
                alone.delitem(sys.modules, module)
            for package in (*OURS, "pandas"):
                alone.setitem(sys.modules, package, None)
            found.append(names_of(export.plain))
        assert export.results
        for names in found:
            for name, expected in export.results.items():
                actual = torch.as_tensor(names[name], dtype=expected.dtype)
                torch.testing.assert_close(actual, expected, rtol=1e-9, atol=1e-9, equal_nan=True)
        return export

    return compare


def trained(dataset, config, heads=1):
    plan = Plan(dataset, config, heads)
    return Trained(plan, tuple(part for part in plan.parts() if not isinstance(part, float)))


def drawn(figure, kind, place=0):
    return [trace for trace in figure.data if trace.type == kind][place]


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_at_a_narrow_width(agree, kernel, linear):
    export = agree(exported(Dataset("gap", 40, 0.3, 7), Estimator(0.123456789, kernel, linear)))
    assert export.results["weights"].shape == (50, 40)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_made_up_function_is_drawn_by_the_same_calls(agree, name):
    agree(exported(Dataset(name, 500, 0.25, 2**31 - 1), Estimator(0.5)))


@pytest.mark.parametrize("dataset", [Dataset(noise=0), MEASURED, Dataset.measured("engel"), OWN])
def test_points_are_written_out_whatever_their_number(agree, dataset):
    export = agree(exported(dataset, Estimator(2.5)))
    assert "read_csv" not in export.script


def test_tables_and_picture_of_the_lab_hold_its_numbers():
    export = exported(OWN, Estimator(0.4, "epanechnikov"), "weighted-average")
    weights = export.results["weights"].numpy()
    table = export.tables["weights"]
    assert np.array_equal(table.filter(like="key_").to_numpy(), weights)
    assert np.array_equal(table["query"], export.results["queries"])
    assert np.array_equal(export.tables["predictions"]["prediction"], export.results["output"], equal_nan=True)
    assert list(export.tables["data"].columns) == ["key", "dose", "it's 'quoted'"]
    heatmap = drawn(export.figure, "heatmap")
    assert np.allclose(heatmap.z, weights.reshape(50, 100, 2).sum(-1))  # two neighbours share a column
    assert list(drawn(export.figure, "scatter").x) == OWN.samples().x.tolist()
    assert export.name == "weighted-average"


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


@pytest.mark.parametrize(
    ("chosen", "sharpness"),
    [(Chosen(), 1.0), (Chosen(("repeats", "uniform", "blocks", "causal", "previous"), 7, 2, False), 2.15)],
)
def test_patterns(agree, chosen, sharpness):
    export = agree(exported_patterns(chosen, sharpness))
    for place in range(len(chosen.names)):
        assert np.array_equal(drawn(export.figure, "heatmap", place).z, export.results["weights"][place])
    table = export.tables["weights"]
    assert np.array_equal(table.filter(like="key_").to_numpy(), export.results["weights"].flatten(0, 1))
    assert (drawn(export.figure, "heatmap").coloraxis is None) == (not chosen.shared)


def test_the_labs_own_heatmaps(agree):
    export = agree(exported_lab())
    assert export.results["weights"].shape == (2, 50, 50)


@pytest.mark.parametrize("shape", [(1, 1, 3, 4), (2, 3, 40, 50)])
def test_own_weights_written_out_or_packed(agree, shape):
    weights = torch.rand(shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64) - 0.2
    titles = [f"m{number}" for number in range(shape[0] * shape[1])]
    export = agree(exported_own(OwnMatrix(weights, "a file"), titles, shared=False))
    assert ("base64" in export.plain) == (weights.numel() > 5000)
    assert np.array_equal(export.tables["weights"].filter(like="key_").to_numpy(), weights.reshape(-1, shape[-1]))


@pytest.mark.parametrize(
    ("sizes", "place", "tilt"),
    [(Sizes(), (0, 1, 1), 0.0), (Sizes(6, 1, 5, 6), (5, 0, 4), -0.7), (Sizes(1, 1, 1, 1), (0, 0, 0), None)],
)
def test_batches(agree, sizes, place, tilt):
    export = agree(batches.exported(sizes, place, tilt))
    product = export.results["product"]
    assert export.tables["product"]["value"].tolist() == product.flatten().tolist()
    assert np.array_equal([drawn(export.figure, "heatmap", 2 * sizes.n + n).z for n in range(sizes.n)], product)
    assert ("averages" in export.results) == (tilt is not None)


def test_batches_that_do_not_fit_say_why():
    with pytest.raises(InputError, match="no product to take home"):
        batches.exported(Sizes(mismatch=True), (0, 0, 0), 0.0)


def test_every_kind_of_export_makes_every_kind_of_file():
    for export in (exported(MEASURED, Estimator(3.0)), exported_heads(trained(OWN, TrainingConfig(3), 2), 1)):
        for table in export.tables.values():
            assert files.csv(table).decode("utf-8").count("\n") == len(table) + 1
        assert len(files.html(export)) > 1_000_000
        for script in (export.script, export.plain):
            assert files.notebook(export, script)
