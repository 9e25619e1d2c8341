"""What the views on self-attention draw is what the core computes."""

import pytest
import torch

from attention_core.checks import InputError
from attention_core.demos.self_attention import PROJECTIONS
from attention_core.transformer.cost import LAYERS, LENGTHS
from attention_core.transformer.positions import encoding, similarity
from attention_ui.chapters.self_attention import cost, tokens
from attention_ui.chapters.self_attention.choices import USUAL_TEXT, Asked, parsed_order, words_of
from attention_ui.chapters.self_attention.computation import (
    cost_computation,
    frames,
    positions_computation,
    tokens_computation,
)
from attention_ui.chapters.self_attention.pictures_cost import counted, measured
from attention_ui.chapters.self_attention.pictures_positions import (
    MOST,
    SHOWN,
    position_picture,
    product_graph,
    rotated,
    waves,
)
from attention_ui.pictures.picture import pack
from tests.attention_ui.pictures.reading import heatmaps, panels

WORDS = words_of(USUAL_TEXT)
TYPED, OTHER = (0, 1, 2, 3, 4, 5), (3, 1, 5, 0, 2, 4)


@pytest.mark.parametrize("projection", PROJECTIONS)
@pytest.mark.parametrize("order", [TYPED, OTHER])
def test_what_ran_at_one_strength_is_the_frame_there(projection, order):
    asked = Asked(WORDS, order, projection, order == TYPED, 2)
    for percent in (0, 37, 100):
        shown = tokens_computation(asked, percent).shown
        assert set(shown) == set(frames(asked))
        for name, numbers in shown.items():
            torch.testing.assert_close(numbers, frames(asked)[name][percent], rtol=0, atol=1e-12)


def test_the_pictures_hold_weights_outputs_and_the_change():
    asked = Asked(WORDS, OTHER, "drawn")
    header, (before, after), _ = heatmaps(tokens.packed_weights(asked, "slider"))
    shown = tokens_computation(asked, 40).shown
    torch.testing.assert_close(before[40].double(), shown["typed_weights"], rtol=1e-5, atol=1e-7)
    torch.testing.assert_close(after[40].double(), shown["weights"], rtol=1e-5, atol=1e-7)
    assert header["panels"][1]["rows"] == ["on", "cat", "mat", "the", "sat", "the"]
    header, (typed, moved), _ = heatmaps(tokens.packed_outputs(asked, "slider"))
    torch.testing.assert_close(moved[0], typed[0][list(OTHER)], rtol=1e-5, atol=1e-6)
    assert header["panels"][0]["low"] == -header["panels"][0]["high"]
    notes = header["panels"][1]["notes"]
    assert notes[0].endswith(" 0")
    assert float(notes[40].split()[-1]) == pytest.approx(shown["change"].item(), rel=1e-2)


def test_two_of_the_same_word_have_their_difference_at_every_strength():
    header, (outputs,), _ = heatmaps(tokens.packed_outputs(Asked(WORDS, TYPED), "slider"))
    apart = (outputs[:, 0] - outputs[:, 4]).abs().amax(-1)
    for percent in (0, 30, 100):
        told = header["panels"][0]["notes"][percent]
        assert told.startswith("Words 1 and 5 ")
        assert float(told.split()[-1]) == pytest.approx(apart[percent].item(), rel=1e-2, abs=1e-6)
    (alone,) = heatmaps(tokens.packed_outputs(Asked(("a", "b"), (0, 1)), "slider"))[0]["panels"]
    assert not alone["notes"]


def test_a_causal_mask_is_hatched():
    _, _, (mask,) = heatmaps(tokens.packed_weights(Asked(WORDS, TYPED, causal=True), "slider"))
    assert mask[0].bool().equal(torch.ones(6, 6).triu(1).bool())


@pytest.mark.parametrize("text", ["", "one", "a " * 13, "x" * 17 + " y", "a\x00 b"])
def test_a_sentence_that_cannot_be_shown_is_refused_in_one_sentence(text):
    with pytest.raises(InputError, match=r"^(The sentence|Each word) must have .*\.$"):
        words_of(text)


@pytest.mark.parametrize("text", ["", "0..1", "-1.0", "٣.1", "1" * 400, "0.1.2" * 9, "inf", "1e9"])
def test_an_order_from_a_link_that_is_none_is_refused(text):
    assert parsed_order(text) == ()


@pytest.mark.parametrize("width", [8, 16, 32])
def test_rotations_land_on_the_encoding_of_the_shifted_position(width):
    turned, gaps = rotated(width)
    for offset in (0, 1, MOST):
        expected = encoding(torch.arange(offset, offset + SHOWN), width)
        torch.testing.assert_close(turned[offset], expected, rtol=0, atol=1e-12)
        shown = positions_computation(width, offset).shown
        torch.testing.assert_close(shown["rotated"], turned[offset], rtol=0, atol=1e-12)
        torch.testing.assert_close(shown["gap"], gaps[offset], rtol=0, atol=1e-14)
    assert gaps.max() < 1e-12


def test_the_picture_of_positions_turns_pairs_and_shows_waves_and_products():
    made = position_picture(16, 5, (0, 4), "slider")
    header, (still, moving, products), _ = heatmaps(pack(made))
    ((_, (turned, begun)),) = panels(pack(made), "plane")[1]
    torch.testing.assert_close(still[0].double(), encoding(SHOWN, 16), rtol=0, atol=1e-6)
    torch.testing.assert_close(moving[7, 3].double(), encoding(torch.tensor([10]), 16)[0], rtol=0, atol=1e-6)
    place = encoding(torch.tensor([5 + 7]), 16)[0]
    expected = place.view(-1, 2)[:3].flip(-1)  # cosine across, sine up
    torch.testing.assert_close(turned[7].double(), expected, rtol=0, atol=1e-6)
    torch.testing.assert_close(turned.norm(dim=-1), torch.ones(MOST + 1, 3))
    assert begun.shape == (1, 3, 2)
    apart = torch.arange(SHOWN) - torch.arange(SHOWN)[:, None]
    torch.testing.assert_close(products[0].double(), similarity(apart, 16) / 8, rtol=0, atol=1e-6)
    assert float(header["readouts"][1]["texts"][9]) == pytest.approx(similarity(torch.tensor(9), 16).item(), rel=1e-3)


def test_the_waves_and_their_ball_are_columns_of_the_encoding():
    graph = waves(16, 5, (4, 0))
    assert graph.ball[0].tolist() == list(range(5, 5 + MOST + 1))
    torch.testing.assert_close(graph.ball[1], encoding(100, 16)[5 : 5 + MOST + 1, 4])
    torch.testing.assert_close(graph.traces[1].y[::4], encoding(SHOWN + MOST + 1, 16)[:, 0])
    products = product_graph(16)
    assert products.traces[0].y.max() == 8
    assert products.ball[1][3] == pytest.approx((encoding(9, 16)[5] @ encoding(9, 16)[8]).item())


def test_the_charts_of_cost_hold_the_counts_and_the_times():
    lines = counted(cost_computation(64, 256).shown["multiplications"]).graphs[0].traces
    assert [line.y.tolist() for line in lines] == [
        [LAYERS[name].counts(n, 64, 3)[0] for n in LENGTHS] for name in ("attention", "recurrent", "convolution")
    ]
    assert len({line.role for line in lines}) == len({line.sign for line in lines}) == 3
    (line,) = measured({"recurrent": {16: 0.5, 32: 1.5}, "attention": {}}).graphs[0].traces
    known = line.y.isfinite()
    assert (line.x[known].tolist(), line.y[known].tolist()) == ([16, 32], [0.5, 1.5])


def test_the_table_holds_the_formulas_at_this_length():
    rows = cost.table(cost_computation(64, 256).shown["table"]).splitlines()[2:]
    assert rows[0] == f"| Self-attention | $n^2 d$ = {256 * 256 * 64:,} | 1 | 1 |"
    assert rows[1] == f"| Recurrent (GRU) | $n d^2$ = {256 * 64 * 64:,} | 256 | 256 |"
    assert rows[2] == f"| Convolution | $k n d^2$ = {3 * 256 * 64 * 64:,} | 1 | 86 |"
