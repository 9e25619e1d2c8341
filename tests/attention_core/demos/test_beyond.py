"""What learned projections can and a fixed kernel cannot, each claim checked by brute force."""

from itertools import permutations

import pytest
import torch

from attention_core.demos.analogy import smoother_as_attention
from attention_core.demos.beyond import (
    circulation,
    definiteness,
    drawn_tokens,
    drawn_with_one_map,
    previous_token,
    shuffled,
    similarity,
    symmetry,
)
from attention_core.kernels import KERNELS
from attention_core.scores import gaussian

seeds = pytest.mark.parametrize("seed", range(6))


def random(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


@seeds
def test_a_kernel_is_symmetric_and_two_projections_are_not(seed):
    found = symmetry(drawn_tokens(6, seed))
    kernel, attention = found["scores"]
    assert torch.equal(kernel, kernel.mT)
    assert torch.equal(found["excess"], torch.stack([kernel - kernel.mT, attention - attention.mT]))
    assert found["excess"][1].abs().max() > 0.1
    assert found["trips"][0] == 0
    assert found["trips"][1] == circulation(attention) > 0.1


@seeds
def test_one_projection_for_both_is_symmetric_again(seed):
    found = symmetry(drawn_with_one_map(6, seed))
    assert found["excess"].abs().max() < 1e-14
    assert found["trips"].max() < 1e-14


@seeds
def test_circulation_is_the_worst_round_trip(seed):
    scores = random(5, 5, seed=seed)
    trips = (scores[i, j] + scores[j, k] + scores[k, i] for i, j, k in permutations(range(5), 3))
    back = (scores[j, i] + scores[k, j] + scores[i, k] for i, j, k in permutations(range(5), 3))
    worst = max(abs((a - b).item()) for a, b in zip(trips, back, strict=True))
    assert circulation(scores).item() == pytest.approx(worst, rel=1e-12)


def test_what_softmax_cancels_is_asymmetric_yet_still_a_kernel():
    """The augmented dot product looks one-way, but its weights are the Gaussian's: circulation sees through that."""
    x = random(6)
    augmented = smoother_as_attention((x, x), x, 0.5)
    scores = augmented["asking"] @ augmented["offered"].mT
    assert (scores - scores.mT).abs().max() > 0.1
    assert circulation(scores) < 1e-12


@seeds
def test_no_symmetric_kernel_has_weights_that_circulate(seed):
    """Whatever each row is multiplied by, p_ij p_jk p_ki = p_ik p_kj p_ji for a symmetric kernel."""
    for scores, symmetric in zip(symmetry(drawn_tokens(6, seed))["scores"], (True, False), strict=True):
        p = scores.softmax(-1).log()
        round_trips = torch.tensor(
            [
                (p[i, j] + p[j, k] + p[k, i] - p[i, k] - p[k, j] - p[j, i]).item()
                for i, j, k in permutations(range(6), 3)
            ]
        )
        assert (round_trips.abs().max().item() < 1e-6) == symmetric


@pytest.mark.parametrize("count", [2, 6, 20])
def test_attention_can_look_at_the_token_before_and_a_kernel_looks_at_itself(count):
    found = previous_token(count, 8.0)
    kernel, attention = found["weights"]
    assert attention[1:].argmax(-1).tolist() == list(range(count - 1))
    assert kernel.argmax(-1).tolist() == list(range(count))
    for matrix, number in zip(found["weights"], found["before"], strict=True):
        assert torch.allclose(matrix.sum(-1), torch.ones(count, dtype=torch.float64), atol=1e-14)
        assert (matrix.triu(1) == 0).all()
        assert number.item() == pytest.approx(sum(matrix[i, i - 1].item() for i in range(1, count)) / (count - 1))
    assert found["before"][1] > 0.99


def test_without_strength_attention_is_the_average():
    assert torch.allclose(previous_token(4, 0.0)["weights"][1, 3], torch.full((4,), 0.25, dtype=torch.float64))


@seeds
def test_order_means_nothing_to_either(seed):
    found = shuffled(7, seed)
    order = found["order"]
    assert sorted(order.tolist()) == list(range(7))
    assert order.tolist() != list(range(7))
    assert found["gaps"].max() < 1e-13
    for before, after in zip(found["before"], found["after"], strict=True):
        assert torch.allclose(after, before[order][:, order], atol=1e-14)
        assert not torch.allclose(after, before, atol=1e-3)


@seeds
def test_the_gaussian_is_positive_definite_and_a_learned_score_need_not_be(seed):
    found = definiteness(8, seed)
    kernel, attention = found["smallest"].tolist()
    assert kernel > 0
    assert attention < -0.1
    for matrix, number in zip(found["similarities"], (kernel, attention), strict=True):
        assert torch.linalg.eigvals(matrix).real.min().item() == pytest.approx(number, abs=1e-12)
        assert torch.allclose(matrix.diagonal(), torch.ones(8, dtype=torch.float64), atol=1e-14)


def test_the_gaussian_is_positive_definite_and_boxcar_and_epanechnikov_are_not():
    """The page says so: some points show a negative eigenvalue of the latter two, and none of the Gaussian."""
    apart = torch.linspace(0, 4, 41, dtype=torch.float64)
    apart = apart[:, None] - apart
    smallest = {name: torch.linalg.eigvalsh(KERNELS[name].log(apart).exp())[0].item() for name in KERNELS}
    assert smallest["gaussian"] > -1e-9
    assert max(smallest["boxcar"], smallest["epanechnikov"]) < -0.1


def test_similarity_with_the_unit_matrix_is_the_gaussian_kernel():
    points = random(6, 2)
    assert torch.allclose(similarity(points, torch.eye(2, dtype=torch.float64)), gaussian(points, points).exp())


@seeds
def test_scaling_the_diagonal_keeps_the_signs_of_the_eigenvalues(seed):
    points, W = random(4, 2, seed=seed), torch.diag(torch.tensor([1.0, -1.0], dtype=torch.float64))  # noqa: N806
    bare = torch.linalg.eigvalsh((points @ W @ points.mT).exp())
    assert torch.equal(bare.sign(), torch.linalg.eigvalsh(similarity(points, W)).sign())
