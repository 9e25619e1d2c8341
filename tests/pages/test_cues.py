"""The desk's logic: what its widgets and links set, and that every number on it is torch's."""

import pytest
import torch

from attention_core.demos.cues import DESK, SALIENCY, look
from attention_ui.chapters.cues.choices import SALIENCY_KEYS
from tests.pages.opening import opened


def weights(app):
    """The weights in the table of vectors."""
    return torch.tensor([float(text) for text in app.table[0].value["Weight"][:-1]], dtype=torch.float64)


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
    assert "Key k" not in app.table[0].value
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


def test_the_comparison_tells_what_each_pooling_looks_at_here():
    app = opened("cues", cues_tab="comparison", cues_blend="100")
    looks = app.table[0].value["Looks most at, here"]
    strongest = look(SALIENCY, "read", 1.0).weights.max()
    assert looks["Average pooling"] == "all alike, 20.0\N{NO-BREAK SPACE}% each"
    assert looks["Pooling by saliency"] == f"coffee cup, {100 * SALIENCY.softmax(0).max():.1f}\N{NO-BREAK SPACE}%"
    assert looks["Attention"] == f"book, {100 * strongest:.1f}\N{NO-BREAK SPACE}%"
    assert "Attention" not in opened("cues", cues_tab="comparison", cues_goal="nothing").table[0].value.index
