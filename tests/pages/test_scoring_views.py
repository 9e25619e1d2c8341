"""The views' logic: what their widgets and links set, and that every number in words is torch's."""

import pytest
import torch
from streamlit.testing.v1 import AppTest

from attention_core.demos.beyond import definiteness, drawn_tokens, symmetry
from attention_ui.chapters.scoring.explorer import frames
from attention_ui.numbers import short
from tests.attention_ui.export.exported import executed
from tests.pages.opening import opened as page

BAD = ["NaN", "inf", "", "<script>alert(1)</script>"]
KEYS = (
    *("scoring_temperature", "scoring_d", "scoring_draw", "scoring_width", "scoring_share", "scoring_both"),
    *("scoring_question", "scoring_sigma", "scoring_shared", "scoring_tokens", "scoring_strength"),
)


def opened(view, **parameters):
    app = AppTest.from_string(
        f"from attention_ui.chapters.scoring import {view}\n{view}.show('scoring')", default_timeout=60
    )
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, app.exception
    return app


def words(app):
    return "\n".join(text.value for text in app.markdown)


@pytest.mark.parametrize("view", ["explorer", "scaling", "morph", "analogy"])
@pytest.mark.parametrize("bad", BAD)
def test_a_view_opens_whatever_its_link_says(view, bad):
    app = opened(view, **dict.fromkeys(KEYS, bad))
    assert app.info


def test_a_link_sets_the_explorer():
    app = opened("explorer", scoring_temperature="0.05", scoring_d="512", scoring_draw="4")
    assert app.select_slider(key="scoring_temperature").value == 0.05
    assert app.select_slider(key="scoring_d").value == 512
    assert app.session_state["scoring_draw"] == 4


def test_every_score_is_explained():
    assert all(name in words(opened("explorer")) for name in ("Gaussian", "Cosine", "Bilinear", "Additive"))


def test_the_morph_tells_the_true_rounding():
    text = words(opened("morph", scoring_share="100"))
    assert 0 <= float(text.split("at most ")[1].split(",")[0]) < 1e-15


@pytest.mark.parametrize("seed", [0, 7])
def test_attention_goes_round_in_circles_unless_projections_are_shared(seed):
    app = opened("analogy", scoring_question="symmetry", scoring_tokens=str(seed))
    expected = symmetry(drawn_tokens(6, seed))["trips"][1].item()
    assert f"**0** for the kernel and **{short(expected)}** for attention" in words(app)
    app.toggle(key="scoring_shared").set_value(True).run()
    assert "**0** for the kernel and **0** for attention" in words(app)


def test_a_button_draws_other_tokens_and_the_link_says_which():
    app = opened("analogy", scoring_question="symmetry", scoring_tokens="2")
    app.button(key="scoring_tokens_next").click().run()
    expected = symmetry(drawn_tokens(6, 3))["trips"][1].item()
    assert f"**{short(expected)}** for attention" in words(app)


def test_the_smallest_eigenvalues_are_torchs():
    app = opened("analogy", scoring_question="positive", scoring_tokens="4")
    found = definiteness(8, 4)["similarities"]
    smallest = [torch.linalg.eigvalsh(matrix)[0].item() for matrix in found]
    assert smallest[0] > 0 > smallest[1]
    assert f"**−{short(-smallest[1])}**, against **{short(smallest[0])}** for the Gaussian" in words(app)


def computed(view, **parameters):
    """What the code that a view shows computes."""
    app = opened(view, **parameters)
    app.session_state["scoring_code"] = True
    app.run()
    assert not app.exception
    (code,) = [block.value for block in app.code]
    return executed(code)["shown"]


def test_the_code_of_the_morph_computes_what_is_shown():
    shown = computed("morph", scoring_share="100", scoring_both="true")
    torch.testing.assert_close(shown["gaussian"], shown["dot"])
    assert shown["difference"] < 1e-15


def test_the_explorers_code_computes_the_weights_of_its_heatmaps():
    shown = computed("explorer", scoring_temperature="20", scoring_d="3", scoring_draw="2")
    torch.testing.assert_close(shown["weights"], frames(3, 2)[-1])


def test_the_code_of_scaling_computes_what_is_shown():
    shown = computed("scaling", scoring_width="64")
    variance = shown["variance"][:, shown["dimensions"].tolist().index(64)]
    assert [short(each) for each in variance.tolist()] == ["63.3", "0.989"]


def test_the_code_of_the_masks_agrees_with_torch():
    shown = computed("masks", scoring_mask_0="3", scoring_mask_1="0", scoring_mask_causal="true")
    torch.testing.assert_close(shown["weights"], shown["torchs"], atol=1e-15, rtol=0)
    assert shown["seen"].sum(-1).tolist() == [[1, 2, 3, 3, 3, 3], [0] * 6]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("exact", "attention"),
        ("symmetry", "trips"),
        ("likeness", "before"),
        ("order", "gaps"),
        ("positive", "smallest"),
    ],
)
def test_every_question_shows_code_that_runs(question, name):
    assert name in computed("analogy", scoring_question=question)


@pytest.mark.parametrize(("shared", "maps"), [("false", "two matrices $W_q$ and $W_k$"), ("true", "with $W_k = W_q$")])
def test_the_words_on_symmetry_name_the_matrices_there_are(shared, maps):
    app = page("scoring", scoring_tab="analogy", scoring_question="symmetry", scoring_shared=shared)
    assert maps in words(app)
    assert ("**0** for attention" in words(app)) == (shared == "true")
