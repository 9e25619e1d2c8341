"""Kernel regression run by torch's own attention gives the lab's numbers."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_core.data import MEASURED, generate, measured, query_grid
from attention_core.demos.analogy import smoother_as_attention
from attention_core.pooling import kernel_pool

samples, queries = generate(), query_grid()


@pytest.mark.parametrize("width", [0.02, 0.1, 0.25225, 1.0, 5.0, 1e4])
def test_the_smoother_is_dot_product_attention(width):
    expected = kernel_pool(queries, *samples, width)
    found = smoother_as_attention(samples, queries, width)
    assert torch.allclose(found["kernel"], expected.output, rtol=0, atol=1e-12)
    assert torch.allclose(found["attention"], expected.output, rtol=0, atol=1e-9)
    weights = (found["asking"] @ found["offered"].mT).softmax(-1)
    assert torch.allclose(weights, expected.weights, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", MEASURED)
def test_on_measured_data_too(name):
    x, y = measured(name)
    q, width = query_grid(measured(name)), x.std().item() / 5
    assert torch.allclose(
        smoother_as_attention((x, y), q, width)["attention"], kernel_pool(q, x, y, width).output, rtol=1e-9
    )


@pytest.mark.parametrize("far", [1e3, 1e6, -1e8])
def test_far_from_zero_no_digit_is_lost(far):
    found = smoother_as_attention((samples.x + far, samples.y), queries + far, 0.25)["attention"]
    assert torch.allclose(found, kernel_pool(queries + far, samples.x + far, samples.y, 0.25).output, atol=1e-9)


def test_the_pictures_coordinates_are_the_formulas():
    found = smoother_as_attention(samples, queries, 0.5)
    center = (samples.x.min() + samples.x.max()) / 2
    q, k = queries - center, samples.x - center
    assert torch.allclose(found["asking"], torch.stack([4 * q, torch.ones(50)], -1), atol=1e-13)
    assert torch.allclose(found["offered"], torch.stack([k, -2 * k**2], -1), atol=1e-13)
    # The score is the log-kernel up to q^2 / (2 width^2), one number per row.
    rest = found["asking"] @ found["offered"].mT + (q[:, None] - k) ** 2 * 2
    assert torch.allclose(rest, (2 * q**2)[:, None].expand(50, 50), atol=1e-12)


@settings(max_examples=30)
@given(
    st.lists(st.floats(-50, 50), min_size=1, max_size=8),
    st.lists(st.tuples(st.floats(-50, 50), st.floats(-9, 9)), min_size=1, max_size=8),
    st.floats(0.5, 100),
)
def test_any_small_data(asked, pairs, width):
    q, (x, y) = torch.tensor(asked, dtype=torch.float64), torch.tensor(pairs, dtype=torch.float64).unbind(-1)
    expected = kernel_pool(q, x, y, width).output
    assert torch.allclose(smoother_as_attention((x, y), q, width)["attention"], expected, atol=1e-9)
