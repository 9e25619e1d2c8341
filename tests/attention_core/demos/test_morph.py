"""Gaussian and dot-product weights, on the way to the sphere and on it."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import normalize, scaled_dot_product_attention

from attention_core.demos.morph import morph, morph_both, scattered, towards_sphere
from attention_core.scores import cosine, gaussian

SHARES = torch.linspace(0, 1, 61, dtype=torch.float64)[:, None, None]
queries, keys = scattered(5, seed=1), scattered(20, seed=2)


def test_share_0_stays_and_share_1_is_torchs_normalize():
    assert torch.equal(towards_sphere(keys, 0.0), keys)
    assert torch.allclose(towards_sphere(keys, 1.0), normalize(keys, dim=-1), atol=1e-15)
    assert torch.allclose(towards_sphere(keys, 0.5), (keys + normalize(keys, dim=-1)) / 2, atol=1e-15)


def test_many_shares_at_once_equal_one_at_a_time():
    together = morph(queries, keys, SHARES)
    assert together["keys"].shape == (61, 20, 2)
    for i in (0, 17, 60):
        one = morph(queries, keys, SHARES[i].item())
        for name in ("keys", "gaussian", "dot", "apart", "difference"):
            assert torch.allclose(together[name][i], one[name], atol=1e-15), name


@settings(max_examples=30)
@given(st.integers(1, 8), st.integers(1, 8), st.integers(1, 6), st.booleans())
def test_on_the_sphere_the_two_are_one(n_queries, n_keys, width, move_queries):
    q, k = scattered(n_queries, 3, width), scattered(n_keys, 4, width)
    end = (morph_both if move_queries else morph)(q, k, 1.0)
    assert end["difference"].item() < 1e-12
    assert torch.allclose(end["gaussian"], end["dot"], atol=1e-12)


def test_off_the_sphere_they_differ_and_the_difference_melts_away():
    difference = morph(queries, keys, SHARES)["difference"]
    assert difference[0] > 0.05
    assert (difference.diff() < 0).all()
    assert difference[-1] < 1e-12


def test_the_weights_are_those_of_torchs_softmax():
    found = morph(queries, keys, SHARES)
    for i in (0, 30, 60):
        k = towards_sphere(keys, SHARES[i].item())
        distances = torch.cdist(queries, k, compute_mode="donot_use_mm_for_euclid_dist")
        assert torch.allclose(found["gaussian"][i], (-(distances**2) / 2).softmax(-1), atol=1e-14)
        identity = torch.eye(20, dtype=torch.float64)
        expected = scaled_dot_product_attention(queries[None], k[None], identity[None], scale=1.0)[0]
        assert torch.allclose(found["dot"][i], expected, atol=1e-14)
        assert found["difference"][i] == (found["gaussian"][i] - found["dot"][i]).abs().max()


def test_the_queries_stay_unless_asked_and_then_the_dot_is_the_cosine():
    stays, moves = morph(queries, keys, SHARES), morph_both(queries, keys, SHARES)
    assert torch.equal(stays["queries"], queries)
    assert torch.allclose(moves["queries"][-1].norm(dim=-1), torch.ones(5, dtype=torch.float64))
    assert torch.allclose(moves["dot"][-1], cosine(queries, keys).softmax(-1), atol=1e-14)


def test_on_the_sphere_scaled_dot_product_attention_is_a_gaussian_of_width_d_to_the_quarter():
    k = towards_sphere(keys, 1.0)
    torchs = scaled_dot_product_attention(queries[None], k[None], torch.eye(20, dtype=torch.float64)[None])[0]
    width = 2**0.25
    assert torch.allclose(gaussian(queries / width, k / width).softmax(-1), torchs, atol=1e-13)


def test_scattered_vectors_lie_on_both_sides_of_the_sphere():
    lengths = scattered(200, seed=0, width=3).norm(dim=-1)
    assert 0.4 <= lengths.min() < 0.6
    assert 1.8 < lengths.max() <= 2
    assert torch.equal(scattered(9, seed=5), scattered(9, seed=5))
