"""The first page: what its link sets, and that all its chapters are within reach."""

import json
import re

import pytest

from attention_core.data import generate, query_grid
from attention_core.pooling import kernel_pool
from attention_ui.chapters.home.drawing import card
from attention_ui.chapters.home.scores import SCORES, pooled_by_score
from attention_ui.contents import CHAPTERS
from tests.pages.opening import opened, sent


def labels(app):
    """The text alternatives that the picture was given."""
    return sent(app, "update_home_stage")["heatmapText"]


def test_it_opens_at_d2ls_width():
    assert opened("home").select_slider(key="home_width").value == 1.0


def test_a_link_sets_the_width_and_keeps_it():
    app = opened("home", home_width="0.251")
    assert app.select_slider(key="home_width").value == 0.251
    assert app.query_params["home_width"] == "0.251"
    assert f"largest is {kernel_pool(query_grid(), *generate(), 0.251).weights.max():.3g}" in labels(app)


def test_moving_the_slider_moves_the_link():
    app = opened("home")
    app.select_slider(key="home_width").set_value(0.1).run()
    assert app.query_params["home_width"] == "0.1"


@pytest.mark.parametrize("bad", ["NaN", "inf", "-1", "1e99", "<script>alert(1)</script>", "", "σ"])
def test_a_bad_width_or_query_falls_back(bad):
    app = opened("home", home_width=bad, home_query=bad)
    assert app.select_slider(key="home_width").value == 1.0
    assert "home_query" not in app.query_params


def test_a_link_pins_a_query():
    app = opened("home", home_query="0", home_width="0")
    assert app.query_params["home_query"] == "0"
    assert sent(app, "update_home_stage")["pinned"] == 0
    assert "home_width" not in app.query_params  # the usual one needs no word


def test_the_strip_writes_the_outputs_of_torch():
    texts = [text.value for text in opened("home").markdown]
    for score, pooled in pooled_by_score():
        (text,) = [text for text in texts if text.startswith(f"**{score.name}**")]
        told = [float(number) for number in re.search(r"Output \*\*(.+)\*\*", text)[1].split(" and ")]
        assert told == pytest.approx(pooled.output.flatten().tolist(), rel=5e-3)
    assert len(SCORES) == 6


def test_every_chapter_has_a_card_in_order():
    links = [link.proto for link in opened("home").main.get("page_link")]
    assert [link.label for link in links] == [f"**{chapter.title}**" for chapter in CHAPTERS]


def test_every_card_shows_the_picture_of_its_chapter():
    shown = [element.proto for element in opened("home").main.get("bidi_component")]
    pictures = [json.loads(proto.json)["svg"] for proto in shown if proto.component_name == "attention_lab_card"]
    assert pictures[-len(CHAPTERS) :] == [card(chapter.name) for chapter in CHAPTERS]


def test_there_is_no_sidebar():
    assert not opened("home").sidebar.children
