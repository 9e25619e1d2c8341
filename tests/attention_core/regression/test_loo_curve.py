"""The leave-one-out error over the width, and the usual choices on it."""

import pytest
import torch

from attention_core.data import generate
from attention_core.regression.estimator import Estimator
from attention_core.regression.loo_curve import loo_curve
from attention_core.regression.selection import GRID, best_width, loo_losses, scott_width, silverman_width, some

samples = generate()


@pytest.mark.parametrize("estimator", [Estimator(0.4), Estimator(0.7, "epanechnikov", linear=True)])
def test_the_curve_and_its_marks_are_the_leave_one_out_errors(estimator):
    curve = loo_curve(samples, estimator)
    kernel, linear = estimator.kernel, estimator.linear
    assert torch.equal(curve.widths, curve.widths.sort().values)
    torch.testing.assert_close(curve.losses, loo_losses(samples, curve.widths, kernel, linear))
    assert {name: mark.width for name, mark in curve.marks.items()} == {
        "leave_one_out": best_width(samples, kernel, linear),
        "silverman": silverman_width(samples),
        "scott": scott_width(samples),
        "current": estimator.width,
    }
    for mark in curve.marks.values():
        assert mark.width in curve.widths.tolist()
        assert mark.loss == pytest.approx(loo_losses(samples, [mark.width], kernel, linear).item())


def test_nothing_lies_below_the_marked_optimum():
    curve = loo_curve(samples, Estimator(0.4))
    assert curve.marks["leave_one_out"].loss == curve.losses.min().item()
    assert len(curve.widths) == GRID + 4


def test_the_curve_of_many_points_is_that_of_some_left_out():
    data = generate(n=1200, seed=5)
    curve = loo_curve(data, Estimator(0.4))
    torch.testing.assert_close(curve.losses[::10], loo_losses(data, curve.widths[::10], at=some(1200)))
    assert curve.marks["leave_one_out"].loss <= curve.losses.min().item() * (1 + 1e-4)
