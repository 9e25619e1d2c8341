"""How the time grows: both ways give the same predictions, and a sum of bumps is known by a few places."""

import pytest
import torch

from attention_core import progress
from attention_core.data import generate, query_grid
from attention_core.demos.regression import local_lines_in_groups, regression_in_groups
from attention_core.kernels import KERNELS
from attention_core.progress import watched
from attention_core.regression.estimator import Estimator
from attention_core.regression.growth import MOST_PAIRED, PIECE, SIZES, WAYS, by_pairs, growth, smooth_sum


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("kernel", KERNELS)
def test_both_ways_predict_the_same(kernel, linear):
    samples, estimator = generate(n=700), Estimator(0.3, kernel, linear)
    pairs, sums = (way(samples, estimator) for way in WAYS.values())
    torch.testing.assert_close(sums, pairs, rtol=0, atol=1e-8, equal_nan=True)


def test_every_way_is_measured_at_every_size_that_is_not_too_large_for_it():
    sizes = (50, 100, 2 * MOST_PAIRED)
    found = [(each.way, each.n) for each in growth(Estimator(1.0), sizes)]
    assert found == [("pairs", 50), ("sums", 50), ("pairs", 100), ("sums", 100), ("sums", 2 * MOST_PAIRED)]
    assert all(each.seconds > 0 for each in growth(Estimator(1.0), sizes[:2]))
    assert (SIZES[0], SIZES[-1]) == (50, 1_000_000)


def test_a_watcher_can_stop_it():
    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), watched(stop):
        list(growth(Estimator(1.0)))


@pytest.mark.parametrize("linear", [False, True])
def test_every_pair_is_met_in_pieces_between_which_it_can_be_stopped(monkeypatch, linear):
    monkeypatch.setattr(progress, "EVERY", 0.0)
    samples, looks = generate(n=5_000), []
    with watched(looks.append):
        by_pairs(samples, Estimator(1.0, linear=linear))
    assert len(looks) >= len(samples.x) ** 2 / PIECE


@pytest.mark.parametrize("demo", [regression_in_groups, local_lines_in_groups])
def test_many_points_under_a_few_queries_can_be_stopped_between_them(monkeypatch, demo):
    monkeypatch.setattr(progress, "EVERY", 0.0)
    queries, looks = query_grid(), []
    with watched(looks.append):
        demo(generate(n=1_000), queries, 1.0, KERNELS["gaussian"].log, 10)
    assert len(looks) == len(queries)


@pytest.mark.parametrize("n", [3, 50, 5_000])
@pytest.mark.parametrize("width", [0.02, 0.3, 1.0, 20.0])
def test_a_sum_of_bumps_is_known_by_a_few_places(n, width):
    samples = generate(n=n)
    smooth = smooth_sum(samples, width)
    assert 0 <= smooth.error < 1e-9
    assert smooth.x[0] <= samples.x[n // 2] <= smooth.x[-1]
    expected = torch.stack([(-(((x - samples.x) / width) ** 2) / 2).exp().sum() for x in smooth.x])
    torch.testing.assert_close(smooth.sums, expected)
