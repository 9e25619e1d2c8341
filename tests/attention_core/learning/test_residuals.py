"""What every point is predicted as, less what it is: by pairs, nodes or sums, always as autograd has it."""

import math

import pytest
import torch

from attention_core.data import Samples, generate
from attention_core.learning import residuals
from attention_core.learning.residuals import FEW, Residuals

WAYS = ("_pairs", "_nodes", "_sums")


def by_autograd(samples, w, leave_one_out):
    """r = prediction - y, and Cov(D, y) from its slope: dr/dw = -w Cov(D, y)."""
    apart = (samples.x[:, None] - samples.x).square()
    learned = torch.full((len(samples.x),), w, dtype=torch.float64, requires_grad=True)  # one for each point
    scores = -(learned[:, None] ** 2) / 2 * apart
    if leave_one_out:
        scores = scores.masked_fill(torch.eye(len(samples.x), dtype=torch.bool), -math.inf)
    residual = scores.softmax(-1) @ samples.y - samples.y
    (slope,) = torch.autograd.grad(residual.sum(), learned)
    return residual.detach(), -slope / w


def used(samples, w, leave_one_out=True):
    """The ways that were asked."""
    asked = Residuals(samples, leave_one_out)
    found = asked(w)
    return [way for way in WAYS if way in vars(asked)], found


@pytest.mark.parametrize("leave_one_out", [True, False])
@pytest.mark.parametrize(
    ("n", "w", "way"),
    [
        (50, 1.0, "_pairs"),
        (FEW, 1.0, "_nodes"),
        (FEW, 30.0, "_pairs"),
        (FEW + 1, 30.0, "_sums"),
        (2_000, 0.01, "_nodes"),
        (2_000, 4.0, "_nodes"),
        (2_000, 15.0, "_sums"),
    ],
)
def test_the_way_that_costs_least_gives_the_numbers_of_all_pairs(n, w, way, leave_one_out):
    samples = generate("doppler", n=n, noise=0.3, seed=n)
    ways, (residual, covariance) = used(samples, w, leave_one_out)
    assert ways == [way]
    expected, spread = by_autograd(samples, w, leave_one_out)
    span = samples.y.max() - samples.y.min()
    assert (residual - expected).abs().max() < 1e-11 * span
    assert (covariance - spread).abs().max() < 1e-11 * span * max(1.0, 1 / w**2)


def test_where_a_point_is_alone_nodes_are_not_trusted():
    crowd = generate(n=FEW, seed=1)
    samples = Samples(torch.cat([crowd.x, crowd.x[-1:] + 20]), torch.cat([crowd.y, crowd.y[-1:] + 1]))
    ways, (residual, _) = used(samples, 0.9)
    assert ways == ["_nodes", "_sums"]
    assert (residual - by_autograd(samples, 0.9, True)[0]).abs().max() < 1e-10


@pytest.mark.parametrize("n", [3, 60])
@pytest.mark.parametrize("few", [0, FEW])
def test_w_of_0_is_the_plain_average(n, few, monkeypatch):
    monkeypatch.setattr(residuals, "FEW", few)
    samples = generate(n=n)
    residual, _ = Residuals(samples, leave_one_out=True)(0.0)
    torch.testing.assert_close(residual, (samples.y.sum() - samples.y) / (n - 1) - samples.y)


def test_a_call_writes_over_what_the_last_one_found():
    asked = Residuals(generate(n=300), leave_one_out=True)
    first = asked(3.0).clone()
    asked(7.0)
    assert torch.equal(asked(3.0), first)
