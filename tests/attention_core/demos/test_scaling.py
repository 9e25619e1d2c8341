"""Why sqrt(d): the measures against torch.distributions and autograd, the curves against theory."""

import math

import pytest
import torch
from torch.autograd.functional import jacobian
from torch.distributions import Categorical
from torch.nn.functional import scaled_dot_product_attention

from attention_core.demos.scaling import jacobian_norm, scaling, softness
from attention_core.demos.scoring import queries_and_keys

POWERS = [2**i for i in range(10)]
measured = scaling(POWERS, seed=0)


def random(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def test_every_measure_of_a_small_table_of_scores():
    scores = 2 * random(3, 5, 4)
    variance, effective_keys, gradient = softness(scores)
    rows = Categorical(logits=scores)
    assert torch.allclose(variance, torch.stack([s.flatten().var() for s in scores]), atol=1e-12)
    assert torch.allclose(effective_keys, rows.entropy().mean(-1).exp(), atol=1e-12)
    assert torch.allclose(gradient, jacobian_norm(rows.probs).mean(-1), atol=1e-12)


@pytest.mark.parametrize("size", [0.0, 1.0, 10.0, 60.0])
def test_the_gradient_is_the_norm_of_autograds_jacobian(size):
    for scores in size * random(10, 6):
        expected = torch.linalg.matrix_norm(jacobian(lambda s: s.softmax(-1), scores))
        assert jacobian_norm(scores.softmax(-1)).item() == pytest.approx(expected.item(), abs=1e-7)


def test_the_gradient_of_even_and_of_settled_weights():
    assert jacobian_norm(torch.full((4,), 0.25)).item() == pytest.approx(math.sqrt(0.25 * 0.75))
    assert jacobian_norm(torch.tensor([0.5, 0.5])).item() == pytest.approx(0.5)
    assert jacobian_norm(torch.tensor([0.0, 1.0])).item() == 0


def test_the_variance_of_plain_scores_is_d_and_of_scaled_ones_is_1():
    d, (plain, scaled) = measured["dimensions"], measured["variance"]
    assert d.tolist() == POWERS
    assert torch.allclose(plain, d, rtol=0.15)
    assert torch.allclose(scaled, torch.ones(10, dtype=torch.float64), atol=0.15)
    assert torch.allclose(scaled * d, plain, rtol=1e-12)


def test_without_the_root_the_weights_settle_on_one_key_and_the_gradient_fades():
    (plain_reach, scaled_reach), (plain_gradient, scaled_gradient) = measured["effective_keys"], measured["gradient"]
    assert (plain_reach.diff() < 0).all()
    assert plain_reach[0] > 20
    assert plain_reach[-1] < 1.5
    assert plain_gradient[-1] < 0.5 * scaled_gradient[-1]
    assert (scaled_reach - scaled_reach.mean()).abs().max() < 3
    assert (scaled_gradient - scaled_gradient.mean()).abs().max() < 0.02


def test_at_one_dimension_there_is_nothing_to_scale():
    for name in ("variance", "effective_keys", "gradient", "weights"):
        plain, scaled = measured[name]
        assert torch.equal(plain[0], scaled[0])


def test_a_dimension_measures_the_same_alone_and_in_company():
    alone = scaling([64], seed=0)
    for name in ("variance", "effective_keys", "gradient", "weights"):
        assert torch.allclose(alone[name][:, 0], measured[name][:, 6], atol=1e-12)


def test_the_weights_are_those_of_torchs_own_attention():
    for place, d in enumerate(POWERS):
        queries, keys = queries_and_keys(d, seed=0)
        units = torch.eye(len(keys), dtype=torch.float64)[None]
        for scale, weights in zip((1.0, 1 / math.sqrt(d)), measured["weights"][:, place], strict=True):
            torchs = scaled_dot_product_attention(queries[None], keys[None], units, scale=scale)[0]
            assert torch.allclose(weights, torchs, atol=1e-12)


@pytest.mark.parametrize("dimensions", [[3], [1, 7, 100, 511], range(1, 6)])
def test_any_dimensions(dimensions):
    found = scaling(dimensions, seed=0)
    assert found["dimensions"].tolist() == list(dimensions)
    for name in ("variance", "effective_keys", "gradient"):
        assert found[name].shape == (2, len(dimensions))
        assert found[name].isfinite().all()


def test_the_seed_decides():
    assert torch.equal(scaling([8], seed=1)["effective_keys"], scaling([8], seed=1)["effective_keys"])
    assert not torch.equal(scaling([8], seed=1)["effective_keys"], scaling([8], seed=2)["effective_keys"])
