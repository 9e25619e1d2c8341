"""The product that the page explains is torch.bmm's, and so are the complaints."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core.checks import InputError
from attention_core.demos.batching import (
    LARGEST,
    batch_product,
    complaint,
    example,
    looped,
    products,
    race,
    races,
    terms,
    weighted_averages,
    why_not,
)

sizes = st.integers(1, LARGEST)


@settings(max_examples=40)
@given(n=sizes, a=sizes, b=sizes, c=sizes)
def test_the_product_is_torchs(n, a, b, c):
    first, second = example(n, a, b, c)
    assert torch.equal(batch_product(first, second), torch.bmm(first, second))
    assert torch.equal(looped(first, second), torch.bmm(first, second))
    assert terms(first, second).shape == (n, a, c, b)


def test_one_entry_is_the_sum_of_a_row_times_a_column():
    first, second = example(3, 4, 5, 2)
    written = sum(float(first[2, 1, k] * second[2, k, 0]) for k in range(5))
    assert batch_product(first, second)[2, 1, 0].item() == written
    assert terms(first, second)[2, 1, 0].tolist() == [float(first[2, 1, k] * second[2, k, 0]) for k in range(5)]


def test_the_largest_example_has_two_digits_at_most():
    batches = example(*[LARGEST] * 4)
    assert batch_product(*batches).max() < 100
    assert [batch.shape for batch in batches] == [(LARGEST,) * 3] * 2, "no corner may be cut short"


@settings(max_examples=60)
@given(
    first=st.lists(st.integers(1, 3), min_size=2, max_size=4),
    second=st.lists(st.integers(1, 3), min_size=3, max_size=3),
)
def test_words_and_torch_refuse_the_same_shapes(first, second):
    refused = complaint(torch.zeros(first), torch.zeros(second)) is not None
    assert (why_not(first, second) is not None) == refused


def test_the_words_name_both_sizes():
    assert "holds 3 numbers" in why_not((2, 4, 3), (2, 1, 5))
    assert "holds 1 number:" in why_not((2, 4, 3), (2, 1, 5))
    assert "2 in the first batch and 3 in the second" in why_not((2, 4, 3), (3, 3, 5))
    assert "(4, 3)" in why_not((4, 3), (3, 3, 5))
    with pytest.raises(InputError, match="pair off"):
        batch_product(torch.zeros(2, 4, 3), torch.zeros(2, 4, 5))


@pytest.mark.parametrize("place", [(0, 0, 0), (2, 3, 1), (1, 0, 2)])
def test_what_the_page_runs_is_torchs_product_and_one_number_of_it(place):
    batches = example(3, 4, 5, 3)
    shown = products(batches, *place)
    assert torch.equal(shown["product"], torch.bmm(*batches))
    assert torch.equal(shown["product"], batch_product(*example(3, 4, 5, 3)))
    assert shown["number"] == shown["product"][place]
    with pytest.raises(RuntimeError):
        products(example(3, 4, 5, 3, 4), *place)


def averaged(tilt):
    return weighted_averages(products(example(1, 1, 1, 1), 0, 0, 0), tilt)


def test_the_textbook_averages():
    shown = averaged(0.0)
    assert shown["values"].shape == (2, 10, 1)
    assert torch.allclose(shown["weights"], torch.full((2, 1, 10), 0.1, dtype=torch.float64))
    assert shown["averages"].flatten().tolist() == pytest.approx([4.5, 14.5], abs=1e-12)
    assert torch.allclose(shown["averages"], torch.bmm(shown["weights"], shown["values"]))


@pytest.mark.parametrize("tilt", [-2.0, 0.7, 2.0])
def test_tilted_weights_still_sum_to_one(tilt):
    shown = averaged(tilt)
    assert torch.allclose(shown["weights"][0, 0], torch.softmax(tilt * torch.arange(10.0).double(), -1))
    assert torch.allclose(shown["averages"], torch.bmm(shown["weights"], shown["values"]))


def test_a_race_measures_both_ways():
    found = race(3, 2)
    assert (found.n, found.size) == (3, 2)
    assert found.loop > 0
    assert found.batched > 0
    assert found.ratio == found.loop / found.batched
    assert [each.n for each in races(2, (1, 2))] == [1, 2]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: example(7, 1, 1, 1), "n must be a whole number from 1 to 6"),
        (lambda: example(1, 1, 1, 1, 0), "rows of the second"),
        (lambda: race(0, 2), "n must be"),
        (lambda: race(1, 1000), "size must be"),
    ],
)
def test_bad_input_is_told_in_one_sentence(call, says):
    with pytest.raises(InputError, match=says):
        call()
