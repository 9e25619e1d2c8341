"""The code a page shows runs, and prints the page's own numbers."""

import contextlib
import io

import pytest
import torch

from attention_core.data import generate, measured
from attention_core.regression.estimator import Estimator
from attention_ui.controls.dataset import Dataset
from attention_ui.export.snippets import kernel_regression_snippet
from attention_ui.pictures.scenes import queries_for

DATASETS = [
    Dataset("doppler", 77, 0.25, 5),
    Dataset.measured("motorcycle"),
    Dataset.own(generate(n=12), "dose", "it's 'quoted'", "a file"),
]


def run(code):
    names = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "snippet", "exec"), names)  # our own text, built from our own values
    return names, printed.getvalue()


@pytest.mark.parametrize("dataset", DATASETS, ids=lambda dataset: dataset.name)
@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("kernel", ["gaussian", "tricube"])
def test_it_reproduces_the_picture(dataset, kernel, linear):
    estimator = Estimator(0.791, kernel, linear)
    names, printed = run(kernel_regression_snippet(dataset, estimator))
    output, weights = estimator.pool(queries_for(dataset), dataset.samples())
    assert torch.allclose(names["output"], output, atol=1e-12, equal_nan=True)
    assert torch.allclose(names["weights"], weights, atol=1e-12)
    assert "torch.Size([50" in printed


def test_many_own_points_are_read_from_the_users_file(tmp_path, monkeypatch):
    samples = measured("engel")
    dataset = Dataset.own(samples, "income", "food", "engel.csv")
    rows = "\n".join(f"{x!r},{y!r}" for x, y in zip(samples.x.tolist(), samples.y.tolist(), strict=True))
    (tmp_path / "your_file.csv").write_text(f"income,food\n{rows}\n")
    monkeypatch.chdir(tmp_path)
    estimator = Estimator(200.0)
    names, _ = run(kernel_regression_snippet(dataset, estimator))
    assert torch.allclose(names["output"], estimator.predict(queries_for(dataset), samples), rtol=1e-9)
