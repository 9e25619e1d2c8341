"""What the chapter sends to the browser and says in words is torch's own."""

import math

import pytest
import torch

from attention_core.demos.qkv import pooled
from attention_ui.chapters.qkv.choices import numbers_text, parsed_numbers, parsed_query, parsed_temperature, usual_keys
from attention_ui.chapters.qkv.computation import answer, computation
from attention_ui.chapters.qkv.diagram import packed, when_dragged
from attention_ui.chapters.qkv.explanation import alternative
from attention_ui.chapters.qkv.pictures import running_average
from attention_ui.chapters.qkv.space import SPACES, TEMPERATURES, Asked, space_with
from tests.attention_ui.pictures.reading import opened

LINE, PLANE = SPACES["line"], SPACES["plane"]
BAD = ["NaN", "-1", "1e99", "-inf", "<script>", "", "x" * 10_000, "\x00", "0;DROP", "None", None, "1,2,3", ","]


def unpacked(space):
    """The three tensors, as a browser reads them."""
    header, (scores, outputs, weights) = opened(packed(space))
    return scores, outputs, weights.double() / header["levels"]


def test_the_slider_runs_from_average_pooling_over_attention_to_the_nearest_key():
    assert TEMPERATURES[0] == math.inf
    assert TEMPERATURES[len(TEMPERATURES) // 2] == 1
    assert TEMPERATURES[-1] == 0
    assert list(TEMPERATURES) == sorted(TEMPERATURES, reverse=True)


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_every_frame_is_torchs_and_all_of_them_are_small(space):
    assert len(packed(space)) < 1_000_000
    scores, outputs, weights = unpacked(space)
    nodes = space.nodes()
    assert list(weights.shape) == [25, math.prod(space.counts), 6]
    torch.testing.assert_close(scores.double(), -(torch.cdist(nodes, space.pairs.keys) ** 2) / 2, rtol=1e-6, atol=1e-6)
    for i in (0, 5, 12, 24):
        expected = pooled(nodes, TEMPERATURES[i], space.pairs)
        torch.testing.assert_close(weights[i], expected.weights, rtol=0, atol=1e-5)
        assert TEMPERATURES[i] not in (0, math.inf) or torch.equal(weights[i], expected.weights), "the ends are exact"
        torch.testing.assert_close(outputs[i].double(), expected.output, rtol=1e-6, atol=1e-6)


def test_a_place_is_found_by_its_steps_as_the_browser_counts_them():
    assert PLANE.nodes()[31 * 33 + 14].tolist() == [31 / 8, 14 / 8]
    assert LINE.nodes()[136].tolist() == [3.4]


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_a_query_stands_on_the_grid_and_inside(space):
    wild = (1e6, 0.07)[: len(space.counts)]
    assert space.nearest(wild)[0] == 8
    assert list(space.nearest(wild)) in space.nodes().tolist()
    assert space.nearest(space.start) == space.start


def test_every_key_on_the_line_and_every_middle_of_two_can_be_met():
    keys = LINE.pairs.keys[:, 0]
    for place in [*keys.tolist(), *((keys[1:] + keys[:-1]) / 2).tolist()]:
        assert LINE.nearest((place,))[0] == pytest.approx(place, abs=1e-12)


@pytest.mark.parametrize("text", BAD)
def test_a_bad_link_is_refused(text):
    assert parsed_temperature(str(text)) is None
    assert parsed_query(text) == ()


def test_a_good_link_means_what_it_says():
    assert [parsed_temperature(text) for text in ("inf", "0", "0.1", "0.09")] == [math.inf, 0.0, 0.1, 0.1]
    assert parsed_query("3.4") == (3.4,)
    assert parsed_query(numbers_text((3.875, 1.75))) == (3.875, 1.75)


def test_the_words_hold_the_numbers():
    asked = Asked(LINE, (3.4,), 1.0)
    words = alternative(asked)
    assert words.startswith("Query at 3.4, T = 1: A with value 62 weighs 0.0160,")
    assert f"Output {answer(asked).output.item():.4f}" in words


@pytest.mark.parametrize("count", [1, 40])
def test_the_graph_draws_the_average_of_the_samples_and_the_soft_output(count):
    shown = computation(Asked(LINE, (3.4,), 1.0), (count, 3)).shown
    soft, below, above, average = running_average(shown).traces
    assert set(soft.y.tolist()) == {shown["output"].item()}
    assert average.x.tolist() == list(range(1, count + 1))
    assert average.y[-1].item() == pytest.approx(LINE.pairs.values[shown["picked"]].mean().item())
    assert (below.y <= soft.y).all()
    assert (soft.y <= above.y).all()


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
@pytest.mark.parametrize("temperature", [math.inf, 1.0, 0.1, 0.0])
def test_what_a_question_runs_is_the_frame_there(space, temperature):
    _, outputs, weights = unpacked(space)
    place, frame = space.nodes().tolist().index(list(space.start)), TEMPERATURES.index(temperature)
    output, weighed = answer(Asked(space, space.start, temperature))
    torch.testing.assert_close(weights[frame, place], weighed, rtol=0, atol=1e-5)
    torch.testing.assert_close(outputs[frame, place].double(), output, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", SPACES)
def test_a_space_keeps_its_frames_for_the_usual_pairs_and_has_others_for_moved_keys(name):
    keys, values = usual_keys(name), tuple(LINE.pairs.values.tolist())
    assert space_with(name, keys, values) is SPACES[name]
    moved = space_with(name, (2.0, *keys[1:]), (*values[:5], 50.0))
    assert moved is space_with(name, (2.0, *keys[1:]), (*values[:5], 50.0))
    assert moved.pairs.keys[0, 0] == 2
    assert moved.pairs.values[5] == 50
    assert packed(moved) != packed(SPACES[name])


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_what_a_drag_will_show_is_what_the_question_is_after_it(space):
    asked = Asked(space, space.start, 0.464)
    scores, weights, outputs, by_value = when_dragged(asked, answer(asked).weights)
    places, keys = space.key_places(), list(usual_keys(space.name))
    at, axes = 77, len(space.counts)
    keys[2 * axes : 3 * axes] = places[at].tolist()
    after = Asked(space_with(space.name, tuple(keys), tuple(space.pairs.values.tolist())), space.start, 0.464)
    assert outputs[2, at].item() == pytest.approx(answer(after).output.item(), rel=1e-6)
    assert weights[2, at].double().div(65_520).tolist() == pytest.approx(answer(after).weights.tolist(), abs=1e-5)
    assert scores[at].item() == pytest.approx(computation(after).shown["scores"][0, 2].item(), rel=1e-6)
    values = (*space.pairs.values.tolist()[:5], 33.0)
    changed = Asked(space_with(space.name, usual_keys(space.name), values), space.start, 0.464)
    assert by_value[5, 33].item() == pytest.approx(answer(changed).output.item(), rel=1e-6)


@pytest.mark.parametrize(
    "text", ["1,2", "1,2,9", "nan,1,1", "1,,1", "1,1,-1", *(text for text in BAD if text != "1,2,3")]
)
def test_bad_keys_or_values_are_refused(text):
    assert parsed_numbers(str(text), (8.0, 8.0, 4.0)) is None
    assert parsed_numbers("1,2.5,4", (8.0, 8.0, 4.0)) == (1.0, 2.5, 4.0)
