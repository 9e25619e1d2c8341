"""Gaussian and dot-product weights, on the way to the sphere and on it."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import normalize, scaled_dot_product_attention

from attention_core.checks import InputError
from attention_core.demos.morph import morph, on_sphere, scattered
from attention_core.scoring import cosine

SHARES = torch.linspace(0, 1, 61, dtype=torch.float64)
queries, keys = scattered(5, seed=1), scattered(20, seed=2)


def test_share_0_stays_and_share_1_is_torchs_normalize():
    assert torch.equal(on_sphere(keys, 0.0), keys)
    assert torch.allclose(on_sphere(keys, 1.0), normalize(keys, dim=-1), atol=1e-15)
    assert torch.allclose(on_sphere(keys, 0.5), (keys + normalize(keys, dim=-1)) / 2, atol=1e-15)


def test_many_shares_at_once_equal_one_at_a_time():
    together = on_sphere(keys, SHARES)
    assert together.shape == (61, 20, 2)
    for i in (0, 17, 60):
        assert torch.allclose(together[i], on_sphere(keys, SHARES[i].item()), atol=1e-15)


@settings(max_examples=30, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 8), st.integers(1, 8), st.integers(1, 6), st.floats(0.3, 5), st.booleans())
def test_on_the_sphere_the_two_are_one(n_queries, n_keys, width, kernel_width, move_queries):
    q, k = scattered(n_queries, 3, width), scattered(n_keys, 4, width)
    end = morph(q, k, torch.tensor([1.0]), kernel_width, move_queries)
    assert end.difference.item() < 1e-12
    assert torch.allclose(end.gaussian, end.dot, atol=1e-12)


def test_off_the_sphere_they_differ_and_the_difference_melts_away():
    difference = morph(queries, keys, SHARES).difference
    assert difference[0] > 0.05
    assert (difference.diff() < 0).all()
    assert difference[-1] < 1e-12


def test_the_weights_are_those_of_torchs_softmax():
    found = morph(queries, keys, SHARES, width=0.8)
    for i in (0, 30, 60):
        k = on_sphere(keys, SHARES[i].item())
        distances = torch.cdist(queries, k, compute_mode="donot_use_mm_for_euclid_dist")
        assert torch.allclose(found.gaussian[i], (-(distances**2) / (2 * 0.8**2)).softmax(-1), atol=1e-14)
        identity = torch.eye(20, dtype=torch.float64)
        expected = scaled_dot_product_attention(queries[None], k[None], identity[None], scale=1 / 0.8**2)[0]
        assert torch.allclose(found.dot[i], expected, atol=1e-14)
        assert found.difference[i] == (found.gaussian[i] - found.dot[i]).abs().max()


def test_the_queries_stay_unless_asked_and_then_the_dot_is_the_cosine():
    stays, moves = morph(queries, keys, SHARES), morph(queries, keys, SHARES, move_queries=True)
    assert torch.equal(stays.queries, queries.expand(61, 5, 2))
    assert torch.allclose(moves.queries[-1].norm(dim=-1), torch.ones(5, dtype=torch.float64))
    assert torch.allclose(moves.dot[-1], cosine(queries, keys).softmax(-1), atol=1e-14)


def test_on_the_sphere_scaled_dot_product_attention_is_a_gaussian_of_width_d_to_the_quarter():
    k = on_sphere(keys, 1.0)
    torchs = scaled_dot_product_attention(queries[None], k[None], torch.eye(20, dtype=torch.float64)[None])[0]
    found = morph(queries, keys, torch.tensor([1.0]), width=2**0.25)
    assert torch.allclose(found.gaussian[0], torchs, atol=1e-13)


def test_scattered_vectors_lie_on_both_sides_of_the_sphere():
    lengths = scattered(200, seed=0, width=3).norm(dim=-1)
    assert 0.4 <= lengths.min() < 0.6
    assert 1.8 < lengths.max() <= 2
    assert torch.equal(scattered(9, seed=5), scattered(9, seed=5))


@pytest.mark.parametrize(
    ("attempt", "words"),
    [
        (lambda: on_sphere(torch.zeros(2, 3), 0.5), "must not be 0"),
        (lambda: on_sphere(keys, 1.5), "share must be a number from 0 to 1, not 1.5"),
        (lambda: on_sphere(keys, math.nan), "share must be a number from 0 to 1, not nan"),
        (lambda: morph(queries, keys * math.nan, SHARES), "keys must be finite"),
        (lambda: morph(queries[:, :1], keys, SHARES), "equally wide, not 1 and 2"),
        (lambda: morph(queries, keys, SHARES, 0.0), "width must be a positive number"),
        (lambda: on_sphere(torch.zeros(0, 2), 0.5), "at least one vector"),
        (lambda: scattered(0), "count must be a whole number from 1"),
    ],
)
def test_what_cannot_be_is_one_sentence(attempt, words):
    with pytest.raises(InputError, match=words):
        attempt()
