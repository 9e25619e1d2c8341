"""Scripts taken home from the lab make the numbers of the screen again."""

import numpy as np
import pytest

from attention_core.data import FUNCTIONS, generate
from attention_core.kernels import KERNELS
from attention_core.regression.estimator import Estimator
from attention_ui.controls.dataset import Dataset
from attention_ui.export.lab import exported
from tests.attention_ui.export.exported import drawn

MEASURED = Dataset.measured("motorcycle")
OWN = Dataset.own(generate(n=200, seed=3), "dose", "it's 'quoted'", "a file")


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_at_a_narrow_width(agree, kernel, linear):
    export = agree(exported(Dataset("gap", 40, 0.3, 7), Estimator(0.123456789, kernel, linear)))
    assert export.computation.shown["weights"].shape == (50, 40)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_made_up_function_is_drawn_by_the_same_calls(agree, name):
    agree(exported(Dataset(name, 500, 0.25, 2**31 - 1), Estimator(0.5)))


@pytest.mark.parametrize("dataset", [Dataset(noise=0), MEASURED, Dataset.measured("engel"), OWN])
def test_points_are_written_out_whatever_their_number(agree, dataset):
    export = agree(exported(dataset, Estimator(2.5)))
    assert "read_csv" not in export.with_core().text


def test_tables_and_picture_of_the_lab_hold_its_numbers():
    export = exported(OWN, Estimator(0.4, "epanechnikov"), "weighted-average")
    weights = export.computation.shown["weights"].numpy()
    table = export.tables["weights"]
    assert np.array_equal(table.filter(like="key_").to_numpy(), weights)
    assert np.array_equal(table["query"], export.computation.shown["queries"])
    assert np.array_equal(
        export.tables["predictions"]["prediction"], export.computation.shown["output"], equal_nan=True
    )
    assert list(export.tables["data"].columns) == ["key", "dose", "it's 'quoted'"]
    heatmap = drawn(export.figure, "heatmap")
    assert np.allclose(heatmap.z, weights.reshape(50, 100, 2).sum(-1))  # two neighbours share a column
    assert list(drawn(export.figure, "scatter").x) == OWN.samples().x.tolist()
    assert export.name == "weighted-average"


def test_a_file_of_many_rows_is_read_from_beside_the_script(agree):
    agree(exported(Dataset.own(generate(n=2_000, seed=3), "x", "y", "a file"), Estimator(0.4)))


def test_the_plain_script_is_short():
    lines = exported(Dataset(), Estimator(1.0)).alone().text.splitlines()
    assert len([line for line in lines if line.strip()]) <= 30
