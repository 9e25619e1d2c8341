"""The desk's logic: what its widgets and links set, and that every number on it is torch's."""

import pytest
import torch
from streamlit.testing.v1 import AppTest

from attention_core.demos.cues import DESK, look
from attention_ui.chapters.cues.choices import SALIENCY_KEYS, Cues
from tests.pages.opening import opened, sent

SALIENCY = Cues().outstanding()


def table(app, key="cues_vectors"):
    """The rows of the table at the blend of the page, by their first cells."""
    shown = sent(app, key)["panels"][0]
    frames = shown["live"]
    live = frames[min(app.slider(key="cues_blend").value, len(frames) - 1)]
    return {name: dict(zip(shown["head"][1:], cells, strict=True)) for name, *cells in [*shown["rows"], *live]}


def weights(app):
    """The weights in the table of vectors."""
    rows = table(app)
    return torch.tensor([float(rows[thing.name]["Weight"]) for thing in DESK], dtype=torch.float64)


def test_it_begins_with_the_cup_in_the_light_and_a_wish_to_read():
    app = opened("cues")
    assert app.slider(key="cues_blend").value == 0
    assert app.segmented_control(key="cues_goal").value == "read"
    assert [app.slider(key=key).value for key in SALIENCY_KEYS.values()] == SALIENCY.tolist()
    assert torch.allclose(weights(app), SALIENCY.softmax(0), atol=5.1e-5)


def test_a_full_link_sets_everything_and_the_numbers_follow():
    saliency = (3.0, 0.5, 1.5, 6.0, 0.0)
    link = {key: str(value) for key, value in zip(SALIENCY_KEYS.values(), saliency, strict=True)}
    app = opened("cues", cues_goal="write", cues_blend="37", **link)
    expected = look(torch.tensor(saliency), "write", 0.37).weights[0]
    assert torch.allclose(weights(app), expected, atol=5.1e-5)
    assert any("Your wish to write is a **query**" in text.value for text in app.markdown)


def test_without_a_goal_there_is_no_query_and_nothing_to_blend_in():
    app = opened("cues", cues_goal="nothing", cues_blend="80")
    assert app.slider(key="cues_blend").disabled
    assert any("**there is no query**" in text.value for text in app.markdown)
    assert "Key k" not in table(app)["book"]
    assert torch.allclose(weights(app), SALIENCY.softmax(0), atol=5.1e-5)
    assert "mathbf{q}" not in app.latex[0].value


@pytest.mark.parametrize("bad", ["NaN", "inf", "-1", "1e99", "", "<script>"])
def test_a_bad_value_falls_back_and_spares_the_others(bad):
    app = opened("cues", cues_blend=bad, cues_goal=bad, cues_cup=bad, cues_book="4")
    assert app.slider(key="cues_book").value == 4
    assert app.slider(key="cues_cup").value == DESK[2].saliency
    assert app.slider(key="cues_blend").value == 0
    assert torch.allclose(weights(app), torch.tensor([1.5, 1, 5, 1, 4], dtype=torch.float64).softmax(0), atol=5.1e-5)


def test_reset_puts_everything_back():
    app = opened("cues", cues_goal="drink", cues_blend="55", cues_cup="0", cues_notebook="6")
    app.button(key="cues_reset").click().run()
    assert not app.exception
    assert app.slider(key="cues_blend").value == 0
    assert app.segmented_control(key="cues_goal").value == "read"
    assert [app.slider(key=key).value for key in SALIENCY_KEYS.values()] == SALIENCY.tolist()


@pytest.mark.parametrize("goal", ["drink", "read", "write"])
def test_a_click_on_a_goal_moves_attention_all_the_way_to_it(goal):
    app = opened("cues")
    app.segmented_control(key="cues_goal").set_value(None if goal == "read" else goal).run()  # read stands: taken back
    assert not app.exception
    assert app.segmented_control(key="cues_goal").value == goal
    assert app.slider(key="cues_blend").value == 100
    assert torch.allclose(weights(app), look(SALIENCY, goal, 1.0).weights[0], atol=5.1e-5)
    app.segmented_control(key="cues_goal").set_value("nothing").run()
    assert app.slider(key="cues_blend").disabled


def click_alone():
    """The desk with one slider: AppTest cannot click into a component."""
    import streamlit as st

    from attention_ui.chapters.cues.choices import saliency_sliders, take_click

    saliency_sliders()
    name = st.selectbox("Object", [None, "newspaper", "coffee cup", "<b>"], key="object")
    st.session_state["cues_desk"] = {"object": name}
    st.button("Click", key="click", on_click=take_click)


@pytest.mark.parametrize(
    ("name", "key", "values"), [("newspaper", "cues_newspaper", [5, 1.5]), ("coffee cup", "cues_cup", [1, 5])]
)
def test_a_click_on_an_object_makes_it_stand_out_or_plain(name, key, values):
    app = AppTest.from_function(click_alone).run()
    app.selectbox(key="object").set_value(name).run()
    for value in values:
        app.button(key="click").click().run()
        assert app.slider(key=key).value == value
    app.selectbox(key="object").set_value("<b>").run()
    app.button(key="click").click().run()
    assert not app.exception
    assert app.slider(key=key).value == values[-1]


def test_the_comparison_tells_what_gets_the_most_under_each_pooling():
    app = opened("cues", cues_tab="comparison", cues_blend="100")
    largest = {name: cells["Largest weight here"] for name, cells in table(app, "cues_comparison").items()}
    strongest = look(SALIENCY, "read", 1.0).weights.max()
    assert largest["Average pooling"] == "all alike, 20.0\N{NO-BREAK SPACE}% each"
    assert largest["Pooling by saliency"] == f"coffee cup, {100 * SALIENCY.softmax(0).max():.1f}\N{NO-BREAK SPACE}%"
    assert largest["Attention"] == f"book, {100 * strongest:.1f}\N{NO-BREAK SPACE}%"
    assert "Attention" not in table(opened("cues", cues_tab="comparison", cues_goal="nothing"), "cues_comparison")
