"""The data set itself: exact, a key for caches, and aware of what is known of it."""

import math
from functools import lru_cache

import pytest
import torch

from attention_core.checks import InputError
from attention_core.data import Samples, measured
from attention_ui.controls.dataset import OWN, Dataset


def own(values: list[float]) -> Dataset:
    x = torch.arange(len(values), dtype=torch.float64)
    return Dataset.own(Samples(x, torch.tensor(values, dtype=torch.float64)), "a", "b", "c")


def test_own_points_come_back_exactly() -> None:
    values = [0.1, -0.0, 1e-300, 1e100, math.pi]
    dataset = own(values)
    assert dataset.samples().y.tolist() == values
    assert dataset.samples().y.dtype == torch.float64
    assert dataset.samples() is dataset.samples()
    assert dataset.points == tuple(enumerate(values))


def test_a_cache_keyed_by_a_data_set_follows_its_content() -> None:
    calls = []

    @lru_cache
    def total(dataset: Dataset) -> float:
        calls.append(dataset)
        return dataset.samples().y.sum().item()

    assert [total(own([1, 2, 3])), total(own([1, 2, 3])), total(own([1, 2, 4]))] == [6, 6, 7]
    total(Dataset(seed=1)), total(Dataset(seed=1)), total(Dataset(seed=2))
    assert len(calls) == 4
    assert hash(own([1, 2, 3])) == hash(own([1, 2, 3]))


def test_pictures_show_the_whole_range() -> None:
    assert (Dataset("gap", n=3).low, Dataset("gap", n=3).high, Dataset("gap").has_truth) == (0, 5, True)
    x = measured("faithful").x
    dataset = Dataset.measured("faithful")
    assert dataset.low < x[0] < x[-1] < dataset.high
    assert dataset.high - dataset.low == pytest.approx(1.1 * (x[-1] - x[0]).item())
    assert not dataset.has_truth
    assert (dataset.x_label, dataset.y_label) == ("eruption (min)", "waiting time (min)")


def test_the_true_curve_stays_known_behind_edited_points_and_so_do_the_axes() -> None:
    dataset = Dataset("wave", 20).changed(added=(2.5, 9.0))
    assert (dataset.name, dataset.true_curve, dataset.has_truth) == (OWN, "wave", False)
    assert (dataset.low, dataset.high) == (0.0, 5.0)
    assert dataset.changed(added=(0.5, -3.0)).true_curve == "wave"
    assert dataset.changed(added=(5.5, 1.0)).true_curve == "", "beyond 5 nobody knows it"
    assert Dataset.measured("faithful").changed(added=(3.0, 60.0)).true_curve == ""


def test_an_added_point_must_be_a_number() -> None:
    with pytest.raises(InputError, match="finite"):
        Dataset().changed(added=(math.nan, 1.0))
