"""The chapter's logic: what its widgets and links set, and that every number on it is torch's."""

import json
import math

import pytest
import torch
from streamlit.testing.v1 import AppTest

from attention_core.demos.hard import hard_attention
from attention_core.demos.qkv import LINE, PLANE, attention, pooled
from tests.pages.opening import opened, sent


def told_output(app):
    """The output in the words of the diagram."""
    return float(sent(app, "update_qkv_diagram")["text"].rpartition("Output ")[2].removesuffix("."))


def output(query, temperature, pairs=LINE):
    return pooled(torch.tensor([query], dtype=torch.float64), temperature, pairs).output.item()


def test_it_opens_with_attention_on_the_line():
    app = opened("qkv")
    assert app.select_slider(key="qkv_temperature").value == 1.0
    assert not app.query_params, "a link leaves out what is as usual"
    assert told_output(app) == pytest.approx(output([3.4], 1.0), abs=1e-4)


@pytest.mark.parametrize(("text", "temperature"), [("inf", math.inf), ("0.1", 0.1), ("0", 0.0)])
def test_a_link_sets_the_query_and_the_temperature(text, temperature):
    app = opened("qkv", qkv_query="6.1", qkv_temperature=text)
    assert app.select_slider(key="qkv_temperature").value == temperature
    assert told_output(app) == pytest.approx(output([6.1], temperature), abs=1e-4)


def test_a_link_sets_the_plane():
    app = opened("qkv", qkv_space="plane", qkv_query="2.5,3.125", qkv_temperature="0.464")
    assert told_output(app) == pytest.approx(output([2.5, 3.125], 0.464, PLANE), abs=1e-4)
    assert app.query_params["qkv_query"] == "2.5,3.125"


@pytest.mark.parametrize("bad", ["NaN", "-inf", "1e99", "<script>alert(1)</script>", "", "\x00", "1,2,3"])
def test_a_bad_query_temperature_or_seed_falls_back(bad):
    app = opened("qkv", qkv_space="plane", qkv_query=bad, qkv_temperature=bad, qkv_seed=bad, qkv_hard="true")
    assert app.select_slider(key="qkv_temperature").value == 1.0
    assert told_output(app) == pytest.approx(output([3.875, 1.75], 1.0, PLANE), abs=1e-4)
    assert app.session_state["qkv_seed"] == 0
    assert app.query_params == {"qkv_space": "plane", "qkv_hard": "true"}


@pytest.mark.parametrize(("button", "temperature"), [("inf", math.inf), ("1", 1.0), ("0", 0.0)])
def test_the_three_names_below_the_slider_move_it(button, temperature):
    app = opened("qkv", qkv_temperature="0.1")
    app.button(key=f"qkv_at_{button}").click().run()
    assert app.select_slider(key="qkv_temperature").value == temperature
    assert app.query_params.get("qkv_temperature", "1") == f"{temperature:g}"


def told(app):
    (text,) = [text.value for text in app.markdown if text.value.startswith("The last sample")]
    return text


def test_samples_are_taken_with_the_seed_of_the_link_and_again_with_the_next():
    app = opened("qkv", qkv_hard="true", qkv_looks="300", qkv_seed="7")
    answer = attention(torch.tensor([[3.4]], dtype=torch.float64), LINE.keys, LINE.values, 1.0)
    for seed in (7, 8):
        shown = hard_attention(answer, 300, seed)
        assert f"The average of 300 samples is {shown['averages'][-1]:.5g}".rstrip("0") in told(app)
        assert f"picked {'ABCDEF'[int(shown['picked'][-1])]} (value {shown['sampled'][-1]:g})" in told(app)
        assert app.query_params["qkv_seed"] == str(seed)
        app.button(key="qkv_again").click().run()


def test_soft_attention_takes_no_samples():
    app = opened("qkv")
    assert not any(text.value.startswith("The last sample") for text in app.markdown)


@pytest.mark.parametrize("space", ["line", "plane"])
def test_a_link_sets_keys_and_values_and_reset_puts_them_back(space):
    keys = {"line": [1.0, 2, 3, 4, 5, 6], "plane": [1.0, 1, 2, 2, 3, 3, 4, 4, 5, 1, 6, 0.25]}[space]
    values = [10.0, 20, 30, 40, 50, 100]
    link = {f"qkv_{space}": ",".join(f"{key:g}" for key in keys), "qkv_values": "10,20,30,40,50,100"}
    app = opened("qkv", qkv_space=space, qkv_temperature="0.464", **link)
    pairs = LINE._replace(
        keys=torch.tensor(keys, dtype=torch.float64).view(6, -1), values=torch.tensor(values, dtype=torch.float64)
    )
    query = [3.4] if space == "line" else [3.875, 1.75]
    assert told_output(app) == pytest.approx(output(query, 0.464, pairs), abs=1e-4)
    assert all(app.query_params[name] == text for name, text in link.items())
    app.button(key="qkv_reset").click().run()
    assert not app.exception
    assert not any(name in app.query_params for name in (*link, "qkv_temperature"))


def moving_alone():
    """A hand that moves keys and values: AppTest cannot drag in a component."""
    import streamlit as st

    from attention_ui.chapters.qkv.choices import controls, take_key, take_value

    asked, _ = controls()
    told = st.text_input("Told", key="told")
    st.session_state["qkv_diagram"] = {"key": told, "value": told}
    st.button("Key", key="key", on_click=take_key)
    st.button("Value", key="value", on_click=take_value)
    st.json({"keys": asked.space.pairs.keys.flatten().tolist(), "values": asked.space.pairs.values.tolist()})


@pytest.mark.parametrize(
    ("button", "told", "moved"),
    [
        ("key", "2,4.5", 4.5),
        ("value", "2,40", 40.0),
        ("key", "6,1", None),
        ("key", "2,9", None),
        ("value", "<b>", None),
    ],
)
def test_what_was_dragged_is_taken_and_nothing_else(button, told, moved):
    app = AppTest.from_function(moving_alone).run()
    before = json.loads(app.json[0].value)
    app.text_input(key="told").set_value(told).run()
    app.button(key=button).click().run()
    app.run()
    assert not app.exception
    after = json.loads(app.json[0].value)
    if moved is not None:
        before[f"{button}s"][2] = moved
    assert after == before
