"""The leave-one-out error over the width, and the usual choices on it."""

import pytest
import torch

from attention_core.data import generate
from attention_core.regression.estimator import Estimator
from attention_core.regression.landscape import landscape
from attention_core.regression.selection import GRID, best_width, loo_losses, scott_width, silverman_width, some

samples = generate()


@pytest.mark.parametrize("estimator", [Estimator(0.4), Estimator(0.7, "epanechnikov", linear=True)])
def test_the_curve_and_its_marks_are_the_leave_one_out_errors(estimator):
    land = landscape(samples, estimator)
    kernel, linear = estimator.kernel, estimator.linear
    assert torch.equal(land.widths, land.widths.sort().values)
    torch.testing.assert_close(land.losses, loo_losses(samples, land.widths, kernel, linear))
    assert {name: mark.width for name, mark in land.marks.items()} == {
        "leave_one_out": best_width(samples, kernel, linear),
        "silverman": silverman_width(samples),
        "scott": scott_width(samples),
        "current": estimator.width,
    }
    for mark in land.marks.values():
        assert mark.width in land.widths.tolist()
        assert mark.loss == pytest.approx(loo_losses(samples, [mark.width], kernel, linear).item())


def test_nothing_lies_below_the_marked_optimum():
    land = landscape(samples, Estimator(0.4))
    assert land.marks["leave_one_out"].loss == land.losses.min().item()
    assert len(land.widths) == GRID + 4


def test_the_curve_of_many_points_is_that_of_some_left_out():
    data = generate(n=1200, seed=5)
    land = landscape(data, Estimator(0.4))
    torch.testing.assert_close(land.losses[::10], loo_losses(data, land.widths[::10], at=some(1200)))
    assert land.marks["leave_one_out"].loss <= land.losses.min().item() * (1 + 1e-4)
