"""What the desk shows is what torch computed, and its drawing fits the core's objects."""

import re
from dataclasses import replace

import pytest
import torch

from attention_core.demos.cues import DESK, VALUES, look
from attention_ui.chapters.cues.choices import SALIENCY_KEYS, Cues
from attention_ui.chapters.cues.computation import computation
from attention_ui.chapters.cues.desk import HERE, TAGS, pack
from attention_ui.chapters.cues.views import strongest, vector_table
from tests.attention_ui.pictures.reading import opened

names = [thing.name for thing in DESK]
drawing = (HERE / "desk.html").read_text("utf-8")
CHOICES = [Cues(), Cues((3.0, 0.0, 1.5, 6.0, 2.5), "write", 63), Cues((1.0, 2.0, 3.0, 4.0, 5.0), None, 20)]


@pytest.mark.parametrize("chosen", CHOICES)
def test_every_step_of_the_slider_has_a_frame_of_torchs_own(chosen):
    header, (weights, gains) = opened(pack(chosen))
    assert header["frames"] == 101
    assert (header["frame"], header["goal"]) == (chosen.percent, chosen.goal)
    assert header["salient"] == [saliency > 3 for saliency in chosen.saliency]
    for percent in range(0, 101, 10):
        output, expected = look(chosen.outstanding(), chosen.goal, percent / 100)
        assert torch.allclose(weights[percent], expected[0].float(), rtol=1e-6)
        assert torch.allclose(gains[percent], output[0].float(), rtol=1e-6)


def test_the_drawing_holds_the_cores_objects_in_their_order_each_under_its_own_lights():
    placed = re.findall(r'class="object" data-name="([\w ]+)" transform="translate\((\d+) (\d+)\)', drawing)
    assert [name for name, _, _ in placed] == names == list(TAGS)
    lights = re.findall(r'class="light" cx="(\d+)" cy="(\d+)"', drawing)
    assert lights == [(x, y) for _, x, y in placed] * 2, "first the holes in the dark, then the pools of light"


def test_the_cup_is_red_and_nothing_else_is():
    cup = re.search(r'<g class="object" data-name="coffee cup".*?(?=<g class="object")', drawing, re.DOTALL)[0]
    gradients = re.search(r'<linearGradient id="china".*?id="cloth"', drawing, re.DOTALL)[0]
    red = [colour for colour in re.findall(r"#[0-9a-f]{6}", cup + gradients) if is_red(colour)]
    assert len(red) >= 5
    rest = drawing.replace(cup, "").replace(gradients, "")
    assert not any(is_red(colour) for colour in re.findall(r"#[0-9a-f]{6}", rest))
    assert 'fill="url(#china)"' in cup


def is_red(colour):
    red, green, blue = bytes.fromhex(colour[1:])
    return red > 2.2 * max(green, blue)


@pytest.mark.parametrize("chosen", CHOICES)
def test_the_table_holds_the_vectors_the_scores_and_their_average_at_every_blend(chosen):
    head, still, live, *_ = vector_table(chosen)
    assert still == ()
    assert ("Key k" in head) == ("q · k" in head) == (chosen.goal is not None)
    assert len(live) == (101 if chosen.goal else 1)
    for percent in {0, chosen.percent, 100} if chosen.goal else {0}:
        columns = dict(zip(head, zip(*live[percent], strict=True), strict=True))
        shown = computation(replace(chosen, percent=percent)).shown
        assert list(columns["Object"]) == [*names, "what you get"]
        assert [float(text) for text in columns["Weight"][:-1]] == pytest.approx(shown["weights"].tolist(), abs=5.1e-5)
        assert [float(text) for text in columns["Score"][:-1]] == pytest.approx(shown["scores"].tolist(), rel=6e-3)
        gained = [float(text) for text in columns["Value"][-1].strip("()").split(", ")]
        assert gained == pytest.approx(shown["output"].tolist(), rel=6e-3)


def test_the_defaults_are_the_desks_own_and_every_object_has_a_key_in_the_link():
    assert Cues().outstanding().tolist() == [thing.saliency for thing in DESK]
    assert Cues().goal == "read"
    assert len(set(SALIENCY_KEYS.values())) == len(DESK)


def test_equal_weights_have_no_winner():
    assert strongest(torch.full((5,), 0.2)) == "all alike, 20.0\N{NO-BREAK SPACE}% each"
    assert strongest(look(Cues().outstanding(), None).weights[0]) == "coffee cup, 91.2\N{NO-BREAK SPACE}%"
    assert VALUES.min() >= 0
