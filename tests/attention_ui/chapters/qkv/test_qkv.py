"""What the chapter sends to the browser and says in words is torch's own."""

import math

import pytest
import torch

from attention_core.demos.qkv import pooled
from attention_ui.chapters.qkv.calls import answer, ran
from attention_ui.chapters.qkv.choices import parsed_query, parsed_temperature, query_text
from attention_ui.chapters.qkv.diagram import packed
from attention_ui.chapters.qkv.figures_hard_attention import running_average
from attention_ui.chapters.qkv.space import SPACES, TEMPERATURES, Asked
from attention_ui.chapters.qkv.words import alternative, table, weight_text
from attention_ui.figures.style import Axis
from tests.attention_ui.pictures.reading import opened

LINE, PLANE = SPACES["line"], SPACES["plane"]
BAD = ["NaN", "-1", "1e99", "-inf", "<script>", "", "x" * 10_000, "\x00", "0;DROP", "None", None, "1,2,3", ","]


def unpacked(space):
    """The three tensors, as a browser reads them."""
    header, (scores, outputs, weights) = opened(packed(space.name))
    return scores, outputs, weights.double() / header["levels"]


def test_the_slider_runs_from_average_pooling_over_attention_to_the_nearest_key():
    assert TEMPERATURES[0] == math.inf
    assert TEMPERATURES[len(TEMPERATURES) // 2] == 1
    assert TEMPERATURES[-1] == 0
    assert list(TEMPERATURES) == sorted(TEMPERATURES, reverse=True)


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_every_frame_is_torchs_and_all_of_them_are_small(space):
    assert len(packed(space.name)) < 1_000_000
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
    assert parsed_query(query_text((3.875, 1.75))) == (3.875, 1.75)


@pytest.mark.parametrize("temperature", [0.0, 0.1, 1.0, math.inf])
def test_the_table_sums_to_1_and_to_the_output(temperature):
    asked = Asked(PLANE, (3.875, 1.75), temperature)
    output, weights = answer(asked)
    rows = [[cell.strip(" *") for cell in line.split("|")[1:-1]] for line in table(asked).split("\n\n")[0].splitlines()]
    shown = rows[2:8]
    assert [float(row[3]) for row in shown] == pytest.approx(weights.tolist(), abs=1e-6)
    assert sum(float(row[5]) for row in shown) == pytest.approx(output.item(), abs=1e-3)
    assert rows[8][3] == "1.000000"
    assert rows[8][5] == f"{output.item():.4f}"


def test_a_tiny_weight_is_not_written_as_none():
    assert [weight_text(weight) for weight in (0.0, 1e-9, 0.25)] == ["0.000000", "1.0e-09", "0.250000"]


def test_the_words_hold_the_numbers():
    asked = Asked(LINE, (3.4,), 1.0)
    words = alternative(asked)
    assert words.startswith("Query at 3.4, T = 1: A with value 62 weighs 0.0160,")
    assert f"Output {answer(asked).output.item():.4f}" in words


@pytest.mark.parametrize("count", [1, 40])
def test_the_chart_draws_the_looks_their_average_and_the_soft_output(count):
    shown = ran(Asked(LINE, (3.4,), 1.0), (count, 3)).shown
    output, seen, errors = shown["output"].item(), shown["seen"], shown["errors"]
    band, looks, soft, average = running_average(shown, Axis("value", 0, 100)).data
    assert list(looks.y) == LINE.pairs.values[seen].tolist()
    assert list(soft.y) == [output] * 2
    assert list(average.x) == list(range(1, count + 1))
    assert average.y[-1] == pytest.approx(LINE.pairs.values[seen].mean().item())
    assert band.y[0] == pytest.approx(output + 2 * errors[0].item())
    assert band.y[-1] == pytest.approx(output - 2 * errors[0].item())
    assert len({trace.line.dash for trace in (soft, average)}) == 2


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
@pytest.mark.parametrize("temperature", [math.inf, 1.0, 0.1, 0.0])
def test_what_a_question_runs_is_the_frame_there(space, temperature):
    _, outputs, weights = unpacked(space)
    place, frame = space.nodes().tolist().index(list(space.start)), TEMPERATURES.index(temperature)
    output, weighed = answer(Asked(space, space.start, temperature))
    torch.testing.assert_close(weights[frame, place], weighed, rtol=0, atol=1e-5)
    torch.testing.assert_close(outputs[frame, place].double(), output, rtol=1e-6, atol=1e-6)
