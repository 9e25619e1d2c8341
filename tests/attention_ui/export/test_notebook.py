"""The living pictures in a notebook: numbers of any kind come in, a page in a frame or one clear sentence comes out."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import numpy as np
import pytest
import torch

from attention_core import best_width, generate
from attention_lab import InputError, show, show_regression
from attention_ui.export.notebook import MOST_CELLS, MOST_POINTS
from tests.attention_ui.export.test_living import header

ROOT = Path(__file__).parents[3]
WEIGHTS = [[0.2, 0.8], [0.5, 0.5]]


@pytest.mark.parametrize("weights", [WEIGHTS, np.array(WEIGHTS, "float32"), torch.tensor(WEIGHTS, requires_grad=True)])
def test_weights_of_any_kind_are_shown(weights):
    living = show(weights, ["it", "runs"], ["cat", "mat"], title="<mine>")
    assert "<h1>&lt;mine&gt;</h1>" in living.page.decode()
    assert [part["kind"] for part in header(living.page)["parts"]] == ["update", "picture"]
    frame = living._repr_html_()
    assert frame.startswith("<iframe ")
    assert 'sandbox="allow-scripts allow-downloads"' in frame  # a notebook's own cells and cookies are out of its reach
    assert repr(living).startswith("<mine>: a picture for a notebook")
    inside = re.search(r'srcdoc="([^"]*)"', frame)
    assert inside
    assert unescape(inside[1]) == living.page.decode()


def test_several_heads_stand_side_by_side_and_a_page_can_be_kept(tmp_path):
    weights = torch.full((4, 3, 5), 0.2)
    living = show(weights)
    assert living.height > show(weights[0]).height
    living.save(str(tmp_path / "heads.html"))
    assert (tmp_path / "heads.html").read_bytes() == living.page


def test_a_regression_begins_at_the_width_that_is_asked_for_or_at_the_best():
    samples = generate()
    (chosen,) = header(show_regression(*samples, width=0.5).page)["sliders"]
    assert chosen["texts"][chosen["position"]] == "σ 0.5 · w 2"
    (best,) = header(show_regression(samples.x.numpy(), samples.y.tolist()).page)["sliders"]
    assert best["texts"][best["position"]].startswith(f"σ {best_width(samples):.3g}")
    for widths in ([0.1, 1.0], np.array([0.1, 1.0]), torch.tensor([1.0, 0.1], dtype=torch.float64), [1.0, 0.1, 1.0]):
        (several,) = header(show_regression(*samples, width=widths, kernel="tricube").page)["sliders"]
        assert several["texts"] == ["σ 1 · w 1", "σ 0.1 · w 10"]
    (one,) = header(show_regression(*samples, width=np.float32(0.5)).page)["sliders"]
    assert one["texts"][one["position"]] == "σ 0.5 · w 2"


def claim(living):
    found = re.search(r'<p class="claim">(.*)</p>', living.page.decode())
    assert found
    return found[1]


def test_rows_that_do_not_sum_to_1_are_shown_and_said():
    assert "sum" not in claim(show(torch.rand(3, 4).softmax(-1).half()))
    said = claim(show([[0.2, 0.3], [1.0, 1.0]]))
    assert "do <strong>not</strong> all sum to 1: their sums are between 0.5 and 2." in said


def test_too_many_weights_are_sampled_and_said():
    weights = torch.full((70, 40, 700), 1 / 700)
    names = [f"k{i}" for i in range(700)]
    living = show(weights, keys=names)
    said = claim(living)
    assert "Of 70 heads, the first 64 are shown." in said
    assert "Of 700 keys, one in 6 is shown." in said
    assert "queries, one" not in said
    assert "sum to 1" not in said  # the rows as they were given do
    assert 64 * 40 * len(names[::6]) <= MOST_CELLS < 64 * 40 * len(names)
    assert len(living.page) < 1_000_000


def test_too_many_points_are_sampled_and_said():
    x = torch.linspace(0, 1, 2 * MOST_POINTS + 1, dtype=torch.float64)
    said = claim(show_regression(x, x, width=[0.1, 0.2]))
    assert said.endswith("Of 40,001 points, one in 3 is taken.")


def test_a_batch_of_one_is_shown_and_of_a_larger_one_the_sentence_says_how():
    weights = torch.full((1, 2, 3, 3), 1 / 3)
    assert show(weights).page == show(weights[0]).page
    with pytest.raises(InputError, match=re.escape("Show one of the batch: weights[0].")):
        show(torch.cat([weights, weights]))


def test_a_notebook_needs_no_streamlit_no_plotly_and_no_pandas():
    shows = "attention_lab.show([[1.0]]); attention_lab.show_regression([1, 2, 3], [1, 3, 2])"
    absent = "assert not {'streamlit', 'plotly', 'pandas'} & set(sys.modules)"
    command = [sys.executable, "-W", "error", "-c", f"import sys, attention_lab; {shows}; {absent}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: show([1.0, 2.0]), r"these are \(2,\)"),
        (lambda: show([["a"]]), "must be numbers in rows of equal length"),
        (lambda: show([[1.0], [1.0, 2.0]]), "must be numbers in rows of equal length"),
        (lambda: show([[0.5, float("nan")]]), r"weights must be finite; weights\[0, 1\] is nan"),
        (lambda: show(torch.zeros(2, 0, 2)), r"these are \(2, 0, 2\)"),
        (lambda: show(WEIGHTS, keys="ab"), "Names of keys are a list of words"),
        (lambda: show(WEIGHTS, queries=["one"]), "There are 2 queries but 1 names"),
        (lambda: show_regression([1, 2, 3], [1, 2]), "."),
        (lambda: show_regression([1, 2, 3], [1, 2, 3], width=-1.0), "."),
        (lambda: show_regression([1, 2, 3], [1, 2, 3], width=[]), "width must be a number, or some of them"),
        (lambda: show_regression([1, 2, 3], [1, 2, 3], width="wide"), "width must be numbers"),
        (lambda: show_regression([1, 2, 3], [1, 2, 3], kernel="none"), "kernel"),
    ],
)
def test_what_cannot_be_shown_is_explained(wrong, sentence):
    with pytest.raises(InputError, match=sentence):
        wrong()
