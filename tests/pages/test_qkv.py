"""The chapter's logic: what its widgets and links set, and that every number on it is torch's."""

import math

import pytest
import torch

from attention_core.demos.hard import hard_attention
from attention_core.demos.qkv import LINE, PLANE, attention, pooled
from tests.pages.opening import opened


def sums(app):
    """The weights' sum and the output, as the table shows them."""
    (text,) = [text.value for text in app.markdown if text.value.startswith("| Pair")]
    row = next(line for line in text.splitlines() if "**Sum**" in line)
    cells = [cell.strip(" *") for cell in row.split("|")]
    return float(cells[4]), float(cells[6])


def output(query, temperature, pairs=LINE):
    return pooled(torch.tensor([query], dtype=torch.float64), temperature, pairs).output.item()


def test_it_opens_with_attention_on_the_line():
    app = opened("qkv")
    assert app.select_slider(key="qkv_temperature").value == 1.0
    assert not app.query_params, "a link leaves out what is as usual"
    assert sums(app) == (1.0, pytest.approx(output([3.4], 1.0), abs=1e-4))


@pytest.mark.parametrize(("text", "temperature"), [("inf", math.inf), ("0.1", 0.1), ("0", 0.0)])
def test_a_link_sets_the_query_and_the_temperature(text, temperature):
    app = opened("qkv", qkv_query="6.1", qkv_temperature=text)
    assert app.select_slider(key="qkv_temperature").value == temperature
    assert sums(app) == (1.0, pytest.approx(output([6.1], temperature), abs=1e-4))


def test_a_link_sets_the_plane():
    app = opened("qkv", qkv_space="plane", qkv_query="2.5,3.125", qkv_temperature="0.464")
    assert sums(app) == (1.0, pytest.approx(output([2.5, 3.125], 0.464, PLANE), abs=1e-4))
    assert app.query_params["qkv_query"] == "2.5,3.125"


@pytest.mark.parametrize("bad", ["NaN", "-inf", "1e99", "<script>alert(1)</script>", "", "\x00", "1,2,3"])
def test_a_bad_query_temperature_or_seed_falls_back(bad):
    app = opened("qkv", qkv_space="plane", qkv_query=bad, qkv_temperature=bad, qkv_seed=bad, qkv_hard="true")
    assert app.select_slider(key="qkv_temperature").value == 1.0
    assert sums(app)[1] == pytest.approx(output([3.875, 1.75], 1.0, PLANE), abs=1e-4)
    assert app.session_state["qkv_seed"] == 0
    assert app.query_params == {"qkv_space": "plane", "qkv_hard": "true"}


@pytest.mark.parametrize(("button", "temperature"), [("inf", math.inf), ("1", 1.0), ("0", 0.0)])
def test_the_three_names_below_the_slider_move_it(button, temperature):
    app = opened("qkv", qkv_temperature="0.1")
    app.button(key=f"qkv_at_{button}").click().run()
    assert app.select_slider(key="qkv_temperature").value == temperature
    assert app.query_params.get("qkv_temperature", "1") == f"{temperature:g}"


def told(app):
    (text,) = [text.value for text in app.markdown if text.value.startswith("The last look")]
    return text


def test_looks_are_taken_with_the_seed_of_the_link_and_again_with_the_next():
    app = opened("qkv", qkv_hard="true", qkv_looks="300", qkv_seed="7")
    answer = attention(torch.tensor([[3.4]], dtype=torch.float64), LINE.keys, LINE.values, 1.0)
    for seed in (7, 8):
        shown = hard_attention(answer, 300, seed)
        assert f"After 300 looks the average is {shown['averages'][-1]:.5g}".rstrip("0") in told(app)
        assert f"fell on {'ABCDEF'[int(shown['seen'][-1])]} " in told(app)
        assert app.query_params["qkv_seed"] == str(seed)
        app.button(key="qkv_again").click().run()


def test_soft_attention_takes_no_looks():
    app = opened("qkv")
    assert not any(text.value.startswith("The last look") for text in app.markdown)
