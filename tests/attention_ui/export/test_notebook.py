"""The living pictures in a notebook: numbers of any kind come in, a page in a frame or one clear sentence comes out."""

import re
from html import unescape

import numpy as np
import pytest
import torch

from attention_core import InputError, best_width, generate
from attention_ui.export.notebook import show, show_regression
from tests.attention_ui.export.test_living import header

WEIGHTS = [[0.2, 0.8], [0.5, 0.5]]


@pytest.mark.parametrize("weights", [WEIGHTS, np.array(WEIGHTS, "float32"), torch.tensor(WEIGHTS, requires_grad=True)])
def test_weights_of_any_kind_are_shown(weights):
    living = show(weights, ["it", "runs"], ["cat", "mat"], title="<mine>")
    assert "<h1>&lt;mine&gt;</h1>" in living.page.decode()
    assert [part["kind"] for part in header(living.page)["parts"]] == ["update", "picture"]
    frame = living._repr_html_()
    assert frame.startswith("<iframe ")
    assert 'sandbox="allow-scripts"' in frame  # a notebook's own cells and cookies stay out of its reach
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
    (several,) = header(show_regression(*samples, width=[0.1, 1.0], kernel="tricube").page)["sliders"]
    assert several["texts"] == ["σ 1 · w 1", "σ 0.1 · w 10"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: show([1.0, 2.0]), r"these are \(2,\)"),
        (lambda: show([["a"]]), "must be numbers in rows of equal length"),
        (lambda: show([[1.0], [1.0, 2.0]]), "must be numbers in rows of equal length"),
        (lambda: show([[float("nan")]]), "must be finite"),
        (lambda: show(torch.zeros(65, 2, 2)), "At most 64 heads"),
        (lambda: show(WEIGHTS, queries=["one"]), "There are 2 queries but 1 names"),
        (lambda: show_regression([1, 2, 3], [1, 2]), "."),
        (lambda: show_regression([1, 2, 3], [1, 2, 3], width=-1.0), "."),
        (lambda: show_regression([1, 2, 3], [1, 2, 3], kernel="none"), "kernel"),
    ],
)
def test_what_cannot_be_shown_is_explained(wrong, sentence):
    with pytest.raises(InputError, match=sentence):
        wrong()
