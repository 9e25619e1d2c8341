"""Leave-one-out errors and the best width, against a plain loop and statsmodels."""

import numpy as np
import pytest
import torch
from statsmodels.nonparametric.bandwidths import bw_scott, bw_silverman
from statsmodels.nonparametric.kernel_regression import KernelReg

from attention_core import progress
from attention_core.data import Samples, generate, measured
from attention_core.kernels import KERNELS
from attention_core.pooling import kernel_pool
from attention_core.progress import watched
from attention_core.regression.local_linear import local_linear
from attention_core.regression.selection import (
    best_width,
    least_loo_width,
    line_outputs,
    loo_losses,
    scott_width,
    silverman_width,
    squared_errors,
    width_grid,
)

samples = generate()


def plain_loop(data, width, kernel, pool):
    """Leave each point out in turn, the way one would write it on a blackboard."""
    errors = []
    for i in range(len(data.x)):
        rest = torch.arange(len(data.x)) != i
        output = pool(data.x[i : i + 1], data.x[rest], data.y[rest], width, kernel).output
        errors.append((output.nan_to_num(nan=data.y[rest].mean().item()) - data.y[i]) ** 2)
    return torch.cat(errors).mean().item()


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("linear", "pool"), [(False, kernel_pool), (True, local_linear)])
def test_the_grid_equals_a_plain_loop(kernel, linear, pool):
    widths = torch.tensor([0.03, 0.25, 1.0, 7.0], dtype=torch.float64)
    expected = [plain_loop(samples, width, kernel, pool) for width in widths.tolist()]
    assert loo_losses(samples, widths, kernel, linear).tolist() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [3, 257, 400])
def test_blocks_of_rows_and_widths_change_nothing(n):
    data = generate(n=n, seed=4)
    widths = width_grid(data, 9)
    expected = [plain_loop(data, width, "gaussian", kernel_pool) for width in widths.tolist()]
    assert loo_losses(data, widths).tolist() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("linear", "kind"), [(False, "lc"), (True, "ll")])
def test_best_width_is_statsmodels_cross_validated_bandwidth(seed, linear, kind):
    data = generate(seed=seed)
    reference = KernelReg(data.y.numpy(), data.x.numpy(), "c", reg_type=kind, bw="cv_ls").bw[0]
    ours = best_width(data, linear=linear)
    mine, theirs = loo_losses(data, torch.tensor([ours, reference]), linear=linear).tolist()
    assert mine <= theirs * (1 + 1e-9)  # never worse than its optimiser
    assert ours == pytest.approx(reference, rel=0.02) or mine < theirs * 0.999  # it may stop in a side valley


def test_loo_losses_equal_the_score_statsmodels_minimises():
    for kind, linear in (("lc", False), ("ll", True)):
        reference = KernelReg(samples.y.numpy(), samples.x.numpy(), "c", reg_type=kind, bw=[0.3])
        score = reference.cv_loo(np.array([0.3]), reference.est[kind])
        assert loo_losses(samples, [0.3], linear=linear).item() == pytest.approx(score.item(), rel=1e-8)


def test_the_best_width_of_the_reference_data_is_the_published_one():
    assert 1 / best_width(samples) == pytest.approx(3.964252, abs=1e-3)


@pytest.mark.parametrize("kernel", [name for name in KERNELS if name != "constant"])
@pytest.mark.parametrize("name", ["wave", "motorcycle", "engel", "faithful"])
def test_no_width_of_a_fine_grid_beats_the_best_by_much(kernel, name):
    data = generate() if name == "wave" else measured(name)
    fine = loo_losses(data, width_grid(data, 400), kernel).min().item()
    best = loo_losses(data, [best_width(data, kernel)], kernel).item()
    assert best <= fine * 1.01


def test_rules_of_thumb_are_statsmodels():
    for data in (samples, *(measured(name) for name in ("motorcycle", "engel", "faithful"))):
        assert silverman_width(data) == pytest.approx(bw_silverman(data.x.numpy()), rel=1e-12)
        assert scott_width(data) == pytest.approx(bw_scott(data.x.numpy()), rel=1e-12)


def test_rules_of_thumb_stay_positive_when_most_inputs_are_equal():
    data = Samples(torch.tensor([0.0] * 9 + [1.0]).double(), torch.zeros(10).double())
    assert silverman_width(data) > 0
    assert scott_width(data) > 0


def test_a_point_nobody_reaches_counts_as_the_mean_of_the_others():
    data = Samples(torch.tensor([0.0, 1.0, 2.0]).double(), torch.tensor([0.0, 3.0, 9.0]).double())
    expected = ((6 - 0) ** 2 + (4.5 - 3) ** 2 + (1.5 - 9) ** 2) / 3
    assert loo_losses(data, [0.5], "boxcar").item() == pytest.approx(expected)


@pytest.mark.parametrize("kernel", ["boxcar", "tricube"])
@pytest.mark.parametrize("shift", [0.0, 1e7])
def test_equal_inputs_reach_each_other_at_any_width(kernel, shift):
    data = generate(n=300)
    rounded = Samples((data.x * 10).round() / 10 + shift, data.y)
    for width in (1e-30, 1e-9, 0.1, 0.3):
        expected = plain_loop(rounded, width, kernel, kernel_pool)
        assert loo_losses(rounded, [width], kernel).item() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_many_points_have_the_errors_of_all_pairs(kernel, linear):
    """More points than are summed pair by pair, at widths that go each way to sum."""
    data = generate(n=1_100, seed=5)
    widths = torch.tensor([0.0005, 0.004, 0.03, 0.3, 3.0], dtype=torch.float64)
    plain = squared_errors(data, widths, KERNELS[kernel].log, line_outputs if linear else None)
    torch.testing.assert_close(loo_losses(data, widths, kernel, linear), plain, rtol=1e-9, atol=0)


@pytest.mark.parametrize("kernel", ["gaussian", "tricube"])
@pytest.mark.parametrize("linear", [False, True])
def test_the_search_in_a_script_finds_the_same_width(kernel, linear):
    pool = line_outputs if linear else None
    assert least_loo_width(samples, KERNELS[kernel].log, pool) == pytest.approx(best_width(samples, kernel, linear))


def test_a_search_tells_how_far_it_is_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.0)
    seen = []
    with watched(seen.append):
        best_width(samples)
    assert seen == sorted(seen)
    assert len(set(seen)) > 10
    assert 0.8 <= seen[-1] <= 1

    def stop(share):
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), watched(stop):
        best_width(samples)
