"""One query over six pairs, against torch's own attention; both ends of the temperature are exact."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import scaled_dot_product_attention

from attention_core.checks import InputError
from attention_core.demos.qkv import LINE, PLANE, closeness, keys_moved, pooled, values_changed
from attention_core.pooling import kernel_pool

PLACES = st.floats(-2, 10)
TEMPERATURES = st.one_of(st.sampled_from([0.0, math.inf]), st.floats(0.01, 100))
both = pytest.mark.parametrize("pairs", [LINE, PLANE], ids=["line", "plane"])


def queries_for(pairs, count=40):
    generator = torch.Generator().manual_seed(3)
    return 8 * torch.rand(count, pairs.keys.shape[1], generator=generator, dtype=torch.float64)


@both
@pytest.mark.parametrize("temperature", [0.02, 0.3, 1.0, 7.0])
def test_it_is_torchs_softmax_of_minus_half_the_squared_distance(pairs, temperature):
    queries = queries_for(pairs)
    scores = -(torch.cdist(queries, pairs.keys) ** 2) / 2
    weights = torch.softmax(scores / temperature, -1)
    found = pooled(queries, temperature, pairs)
    torch.testing.assert_close(found.weights, weights, rtol=1e-9, atol=1e-12)
    torch.testing.assert_close(found.output, weights @ pairs.values, rtol=1e-9, atol=1e-12)


@both
@pytest.mark.parametrize("temperature", [0.3, 1.0, 7.0])
def test_it_is_torchs_attention_with_the_keys_length_as_a_bias(pairs, temperature):
    """-|q - k|^2 / 2 is q k - |k|^2 / 2 up to a number that is the same for every key, which softmax forgets."""
    queries = queries_for(pairs)
    bias = (-pairs.keys.square().sum(-1) / 2 / temperature).expand(len(queries), -1)
    expected = scaled_dot_product_attention(
        queries[None, None], pairs.keys[None, None], pairs.values[None, None, :, None], bias, scale=1 / temperature
    )
    torch.testing.assert_close(pooled(queries, temperature, pairs).output, expected.flatten(), rtol=1e-9, atol=1e-9)


def test_on_the_line_it_is_nadaraya_watson_with_the_root_of_the_temperature_as_width():
    queries = queries_for(LINE)[:, 0]
    expected = kernel_pool(queries, LINE.keys[:, 0], LINE.values, width=math.sqrt(0.4))
    torch.testing.assert_close(pooled(queries, 0.4), expected)


@both
def test_at_an_endless_temperature_every_key_counts_the_same(pairs):
    output, weights = pooled(queries_for(pairs), math.inf, pairs)
    assert (weights == 1 / 6).all()
    torch.testing.assert_close(output, pairs.values.mean().expand(40))


@both
def test_at_temperature_0_the_nearest_key_answers_alone(pairs):
    queries = queries_for(pairs)
    output, weights = pooled(queries, 0.0, pairs)
    nearest = torch.cdist(queries, pairs.keys).argmin(-1)
    assert torch.equal(weights, torch.nn.functional.one_hot(nearest, 6).double())
    assert torch.equal(output, pairs.values[nearest])


@pytest.mark.parametrize("left", range(5))
def test_keys_that_tie_share_the_answer(left):
    halfway = LINE.keys[left : left + 2].mean(0, keepdim=True)
    output, weights = pooled(halfway, 0.0)
    assert weights[0, left] == weights[0, left + 1] == 0.5
    assert output.item() == LINE.values[left : left + 2].mean()


@both
@pytest.mark.parametrize(("temperature", "end"), [(1e-4, 0.0), (1e8, math.inf)])
def test_both_ends_are_the_limits(pairs, temperature, end):
    queries = queries_for(pairs)
    torch.testing.assert_close(pooled(queries, temperature, pairs), pooled(queries, end, pairs), rtol=0, atol=1e-5)


@settings(max_examples=60)
@given(PLACES, PLACES, TEMPERATURES, st.sampled_from([LINE, PLANE]))
def test_weights_are_never_negative_and_sum_to_1(x, y, temperature, pairs):
    output, weights = pooled(torch.tensor([[x, y]])[:, : pairs.keys.shape[1]], temperature, pairs)
    assert (weights >= 0).all()
    assert weights.sum().item() == pytest.approx(1, abs=1e-14)
    assert pairs.values.min() - 1e-9 <= output.item() <= pairs.values.max() + 1e-9


def test_the_nearest_key_has_the_highest_score():
    assert closeness(torch.tensor([[2.9]]), LINE.keys).argmax().item() == 2
    assert closeness(torch.tensor([[2.9]], dtype=torch.float64), LINE.keys)[0, 2] == 0


@pytest.mark.parametrize("temperature", [-1.0, math.nan, 1e-7, -math.inf])
def test_an_impossible_temperature_is_refused_in_a_sentence(temperature):
    with pytest.raises(InputError, match="temperature must be 0, inf, or from"):
        pooled(torch.tensor([1.0]), temperature)


@pytest.mark.parametrize("queries", [torch.tensor([math.nan]), torch.zeros(2, 3), torch.tensor([math.inf])])
def test_impossible_queries_are_refused_in_a_sentence(queries):
    with pytest.raises(InputError, match="queries must be finite numbers"):
        pooled(queries)


@both
@pytest.mark.parametrize("temperature", [0.0, 0.5, math.inf])
def test_a_moved_key_and_a_changed_value_are_the_same_question_with_other_pairs(pairs, temperature):
    query, places = queries_for(pairs, 1), queries_for(pairs, 7)
    outputs, weights = keys_moved(query, temperature, pairs, places)
    assert weights.shape == (6, 7, 6)
    for key, place in ((0, 0), (3, 6)):
        keys = pairs.keys.clone()
        keys[key] = places[place]
        expected = pooled(query, temperature, pairs._replace(keys=keys))
        torch.testing.assert_close(weights[key, place], expected.weights[0])
        torch.testing.assert_close(outputs[key, place], expected.output[0])
    weights = pooled(query, temperature, pairs).weights[0]
    changed = values_changed(weights, pairs.values, torch.tensor([0.0, 55.0, 100.0], dtype=torch.float64))
    values = pairs.values.clone()
    values[2] = 55
    assert changed.shape == (6, 3)
    assert changed[2, 1].item() == pytest.approx((weights @ values).item())
