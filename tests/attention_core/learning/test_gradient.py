"""An epoch in slices: the same numbers, with places to stop in between."""

import pytest

from attention_core.data import generate
from attention_core.learning.gradient import SquaredError, descended, slope_at
from attention_core.learning.training import Step, TrainingConfig, train, train_slices


def test_an_epoch_in_slices_is_the_same_epoch_and_tells_how_far_it_is(monkeypatch):
    monkeypatch.setattr("attention_core.learning.gradient.BLOCK", 5000)
    monkeypatch.setattr("attention_core.learning.gradient.SLICE", 20_000)
    data, config = generate(n=300), TrainingConfig(3)
    parts = list(train_slices(data, config))
    assert [part for part in parts if isinstance(part, Step)] == list(train(data, config))
    shares = [part for part in parts[: parts.index(next(train(data, config)))] if not isinstance(part, Step)]
    assert shares == sorted(set(shares))
    assert len(shares) >= 3
    assert 0 < shares[0] < shares[-1] < 1


def test_a_small_epoch_has_no_slices():
    assert all(isinstance(part, Step) for part in train_slices(generate(), TrainingConfig(3)))


def test_a_run_can_be_stopped_within_an_epoch(monkeypatch):
    monkeypatch.setattr("attention_core.learning.gradient.BLOCK", 5000)
    monkeypatch.setattr("attention_core.learning.gradient.SLICE", 20_000)
    parts = train_slices(generate(n=300))
    assert isinstance(next(parts), float)
    parts.close()


def test_many_points_keep_no_distances_and_are_the_same(monkeypatch):
    data = generate(n=300)
    for leave_one_out in (True, False):
        monkeypatch.setattr("attention_core.learning.gradient.KEPT", 2**20)
        kept = SquaredError(data, leave_one_out)
        monkeypatch.setattr("attention_core.learning.gradient.KEPT", 0)
        expected = SquaredError(data, leave_one_out)(3.0)
        assert kept(3.0) == expected
        assert kept(3.0) == expected  # written-over memory leaves no trace


@pytest.mark.parametrize("leave_one_out", [True, False])
def test_the_short_slope_is_the_same(leave_one_out):
    data = generate(seed=4)
    for w in (0.0, 0.4, -3.0, 20.0):
        expected = SquaredError(data, leave_one_out)(w)[1]
        assert slope_at(data, w, leave_one_out) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    steps = list(train(data, TrainingConfig(20, 0.1, 1.0, leave_one_out)))
    assert descended(data, 1.0, 0.1, 20, leave_one_out)[1:].tolist() == pytest.approx([step.w for step in steps])
