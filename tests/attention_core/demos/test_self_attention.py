"""What self-attention computes, against torch's own attention and the checked functions of the core."""

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attention_core.demos.self_attention import (
    PLACE,
    PROJECTIONS,
    WIDTH,
    attended,
    every_word,
    no_later_word,
    rearranged,
    rotations,
    tokens,
)
from attention_core.transformer.positions import encoding, shift_rotation, similarity

WORDS, OTHER = ("the", "cat", "sat", "on", "the", "mat"), (3, 1, 5, 0, 2, 4)
STRENGTHS = torch.linspace(0, 1, 101, dtype=torch.float64)[:, None, None]


def maps(name):
    projection = PROJECTIONS[name]
    return projection.maps(2) if projection.is_drawn else projection.maps()


@pytest.mark.parametrize("name", PROJECTIONS)
@pytest.mark.parametrize("causal", [False, True])
def test_every_strength_is_torchs_attention(name, causal):
    shown = attended(WORDS, STRENGTHS, maps(name), no_later_word if causal else every_word, 2)
    for frame in (0, 37, 100):
        X = tokens(WORDS, frame / 100, 2)  # noqa: N806
        q, k, v = (X @ matrix.mT for matrix in maps(name))
        expected = scaled_dot_product_attention(q[None], k[None], v[None], is_causal=causal)[0]
        torch.testing.assert_close(shown["output"][frame], expected, rtol=0, atol=1e-10)
        torch.testing.assert_close(shown["weights"][frame].sum(-1), torch.ones(6, dtype=torch.float64))
        if causal:
            assert not shown["weights"][frame].triu(1).any()


def test_the_same_word_has_the_same_vector_wherever_it_stands():
    vectors = tokens(("the", "cat", "The"), 0.0, 0)
    assert vectors[0].equal(vectors[2])
    assert not vectors[0].equal(vectors[1])
    assert not vectors[0].equal(tokens(("the",), 0.0, 1)[0])
    assert not vectors[:, :PLACE].any()


def test_a_position_is_the_encoding_and_leaves_the_word_alone():
    words, placed = tokens(WORDS, 0.0, 0), tokens(WORDS, 0.5, 0)
    torch.testing.assert_close(placed[:, :PLACE], 0.5 * encoding(6, PLACE, 100.0))
    assert placed[:, PLACE:].equal(words[:, PLACE:])
    W_q, *_ = PROJECTIONS["before"].maps()  # noqa: N806
    torch.testing.assert_close(W_q[:PLACE, :PLACE], 48 * shift_rotation(PLACE, -1, 100.0))
    assert W_q.shape == (WIDTH, WIDTH)


@pytest.mark.parametrize("name", PROJECTIONS)
def test_without_positions_an_order_changes_nothing_and_with_them_it_does(name):
    found = rearranged(WORDS, OTHER, STRENGTHS, maps(name), every_word, 0)["change"]
    assert found[0] < 1e-12
    assert (found[5:] > 1e-3).all()
    assert rearranged(WORDS, range(6), STRENGTHS, maps(name), every_word, 0)["change"].max() == 0
    masked = rearranged(WORDS, OTHER, STRENGTHS, maps(name), no_later_word, 0)["change"]
    assert masked[0] > 0.1, "a causal mask tells the order too"


def test_the_word_before_is_found_by_its_position_alone():
    weights = attended(WORDS, STRENGTHS, maps("before"), every_word, 0)["weights"]
    torch.testing.assert_close(weights[0], torch.full((6, 6), 1 / 6, dtype=torch.float64))
    assert weights[-1].diagonal(-1).min() > 0.95


def test_the_same_words_are_one_until_positions_part_them():
    weights = attended(WORDS, STRENGTHS, maps("same"), every_word, 0)["weights"]
    assert weights[0, 0, 0] == pytest.approx(weights[0, 0, 4].item())
    assert weights[100, 0, 0] > 2 * weights[100, 0, 4]


@pytest.mark.parametrize(("width", "offset"), [(8, 0), (16, 5), (32, 40)])
def test_a_rotation_lands_on_the_encoding_of_the_shifted_position(width, offset):
    shown = rotations(40, width, offset)
    torch.testing.assert_close(shown["P"], encoding(40, width))
    torch.testing.assert_close(shown["rotated"], encoding(80, width)[offset : offset + 40])
    torch.testing.assert_close(shown["product"], similarity(torch.tensor(offset), width))
    torch.testing.assert_close(shown["products"][3], similarity(torch.arange(40) - 3, width) / (width / 2))
    assert shown["gap"] < 1e-12
