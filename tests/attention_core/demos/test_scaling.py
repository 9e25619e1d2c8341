"""Why sqrt(d): the measures against torch.distributions and autograd, the curves against theory."""

import math

import pytest
import torch
from torch.autograd.functional import jacobian
from torch.distributions import Categorical

from attention_core.checks import InputError
from attention_core.demos.scaling import POWERS, Softness, jacobian_norm, scaling, softness

measured = scaling()


def random(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def test_every_measure_of_a_small_table_of_scores():
    scores = 2 * random(3, 5, 4)
    found = softness(scores)
    rows = Categorical(logits=scores)
    assert torch.allclose(found.variance, torch.stack([s.flatten().var() for s in scores]), atol=1e-12)
    assert torch.allclose(found.entropy, rows.entropy().mean(-1), atol=1e-12)
    assert torch.allclose(found.reach, rows.entropy().exp().mean(-1), atol=1e-12)
    assert torch.allclose(found.largest, rows.probs.max(-1).values.mean(-1), atol=1e-12)
    assert torch.allclose(found.settled, (rows.probs > 0.99).any(-1).double().mean(-1))
    assert torch.allclose(found.gradient, jacobian_norm(rows.probs).mean(-1), atol=1e-12)


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
    d = measured.dimensions
    assert d.tolist() == list(POWERS) == [2**i for i in range(10)]
    assert torch.allclose(measured.plain.variance, d, rtol=0.15)
    assert torch.allclose(measured.scaled.variance, torch.ones(10, dtype=torch.float64), atol=0.15)
    assert torch.allclose(measured.scaled.variance * d, measured.plain.variance, rtol=1e-12)


def test_without_the_root_the_weights_settle_on_one_key_and_the_gradient_fades():
    plain, scaled = measured.plain, measured.scaled
    assert (plain.entropy.diff() < 0).all()
    assert (plain.largest.diff() > 0).all()
    assert plain.reach[0] > 20
    assert plain.reach[-1] < 1.5
    assert plain.settled[-1] > 0.5
    assert plain.gradient[-1] < 0.5 * scaled.gradient[-1]
    assert scaled.settled.max() < 0.01
    assert (scaled.reach - scaled.reach.mean()).abs().max() < 3
    assert (scaled.gradient - scaled.gradient.mean()).abs().max() < 0.02


def test_at_one_dimension_there_is_nothing_to_scale():
    for plain, scaled in zip(measured.plain, measured.scaled, strict=True):
        assert plain[0] == scaled[0]


def test_a_dimension_measures_the_same_alone_and_in_company():
    alone, among = scaling([64]), [f[6] for f in measured.plain]
    assert torch.allclose(torch.stack(list(alone.plain))[:, 0], torch.stack(among), atol=1e-12)


@pytest.mark.parametrize("dimensions", [[3], [1, 7, 100, 511], range(1, 6)])
def test_any_dimensions(dimensions):
    found = scaling(dimensions)
    assert found.dimensions.tolist() == list(dimensions)
    for side in (found.plain, found.scaled):
        assert isinstance(side, Softness)
        assert all(field.shape == (len(dimensions),) and field.isfinite().all() for field in side)


def test_the_seed_decides():
    assert torch.equal(scaling([8], seed=1).plain.entropy, scaling([8], seed=1).plain.entropy)
    assert not torch.equal(scaling([8], seed=1).plain.entropy, scaling([8], seed=2).plain.entropy)


@pytest.mark.parametrize("dimensions", [[0], [513], [2.5], []])
def test_bad_dimensions_are_one_sentence(dimensions):
    with pytest.raises(InputError, match="dimension"):
        scaling(dimensions)
