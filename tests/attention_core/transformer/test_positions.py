"""Positions: the book's formula, rotations that shift any position alike, and the order they bring to attention."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core.checks import InputError
from attention_core.transformer.multihead import MultiHeadAttention
from attention_core.transformer.positions import PositionalEncoding, encoding, frequencies, shift_rotation, similarity

few = settings(max_examples=30)
widths = st.integers(1, 20).map(lambda half: 2 * half)
offsets = st.integers(-50, 50)


@few
@given(st.integers(0, 500), widths)
def test_it_is_the_formula_entry_by_entry(position, width):
    row = encoding(torch.tensor([position]), width)[0]
    for j in range(width // 2):
        angle = position / 10_000 ** (2 * j / width)
        assert row[2 * j].item() == pytest.approx(math.sin(angle), abs=1e-12)
        assert row[2 * j + 1].item() == pytest.approx(math.cos(angle), abs=1e-12)


def test_it_is_the_usual_way_of_writing_it():
    """As in the book: fill the even columns with sines and the odd ones with cosines."""
    X = torch.arange(60).reshape(-1, 1) / torch.pow(10_000, torch.arange(0, 32, 2) / 32)  # noqa: N806
    P = torch.zeros(60, 32)  # noqa: N806
    P[:, 0::2], P[:, 1::2] = X.sin(), X.cos()
    torch.testing.assert_close(encoding(60, 32).float(), P, atol=1e-5, rtol=0)


@few
@given(widths, offsets, st.integers(0, 300))
def test_one_rotation_shifts_every_position(width, offset, position):
    rotation = shift_rotation(width, offset)
    here, there = encoding(torch.tensor([position, position + offset]), width)
    torch.testing.assert_close(rotation @ here, there, atol=1e-10, rtol=0)
    torch.testing.assert_close(rotation @ rotation.T, torch.eye(width, dtype=torch.float64), atol=1e-12, rtol=0)
    assert torch.linalg.det(rotation).item() == pytest.approx(1)


@few
@given(widths, offsets, offsets)
def test_shifts_follow_each_other(width, first, second):
    both = shift_rotation(width, first) @ shift_rotation(width, second)
    torch.testing.assert_close(both, shift_rotation(width, first + second), atol=1e-12, rtol=0)


@few
@given(widths)
def test_products_depend_on_the_distance_alone(width):
    P = encoding(40, width)  # noqa: N806
    apart = torch.arange(40) - torch.arange(40)[:, None]
    torch.testing.assert_close(P @ P.T, similarity(apart, width), atol=1e-11, rtol=0)
    assert similarity(torch.tensor(0), width).item() == width / 2


def test_the_first_pair_turns_fastest_and_the_last_ten_thousand_times_slower():
    assert frequencies(512)[0].item() == 1
    assert frequencies(512)[-1].item() == pytest.approx(10_000 ** (-510 / 512))
    assert frequencies(512).diff().max() < 0


def test_rows_get_their_position_added_and_nothing_is_stored_or_learned():
    module = PositionalEncoding(8)
    x = torch.randn(2, 5, 8)
    torch.testing.assert_close(module(x), x + encoding(5, 8).float())
    assert not module.state_dict()
    assert not list(module.parameters())


def test_order_means_something_with_positions():
    generator = torch.Generator().manual_seed(0)
    attention, positions = MultiHeadAttention(8, 2, generator=generator), PositionalEncoding(8)
    x, order = torch.randn(1, 5, 8, generator=generator), torch.tensor([4, 2, 0, 1, 3])

    def attended(rows):
        placed = positions(rows)
        return attention(placed, placed, placed).output

    assert not torch.allclose(attended(x[:, order]), attended(x)[:, order], atol=1e-3)


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (lambda: encoding(5, 7), "width must be even"),
        (lambda: encoding(5, 0), "width must be a whole number from 2"),
        (lambda: shift_rotation(8, 1, base=0.5), "base must be a number from 1"),
        (lambda: PositionalEncoding(8, 10)(torch.ones(1, 11, 8)), "at most 10 positions, not 11"),
    ],
)
def test_bad_input_is_said_in_a_sentence(made, sentence):
    with pytest.raises(InputError, match=sentence):
        made()
