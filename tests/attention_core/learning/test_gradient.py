"""The loss of the learned w and its slope: of few points pair by pair, of many by kernel sums."""

import pytest

from attention_core.data import generate
from attention_core.learning.gradient import SquaredError, descended, slope_at
from attention_core.learning.training import TrainingConfig, train


@pytest.mark.parametrize("leave_one_out", [True, False])
@pytest.mark.parametrize("w", [0.0, 1e-4, 0.4, -3.0, 20.0, 400.0, 1e5])
def test_many_points_by_sums_have_the_loss_and_the_slope_of_all_pairs(w, leave_one_out, monkeypatch):
    data = generate(n=300, seed=3)
    loss, slope = SquaredError(data, leave_one_out)(w)
    monkeypatch.setattr("attention_core.learning.residuals.FEW", 0)
    by_sums = SquaredError(data, leave_one_out)
    assert by_sums(w)[0] == pytest.approx(loss, rel=1e-9, abs=1e-9)
    assert by_sums(w)[1] == pytest.approx(slope, rel=1e-8, abs=1e-8)


def test_written_over_memory_leaves_no_trace():
    error = SquaredError(generate(n=300))
    assert error(3.0) == error(3.0)


@pytest.mark.parametrize("leave_one_out", [True, False])
def test_the_short_slope_is_the_same(leave_one_out):
    data = generate(seed=4)
    for w in (0.0, 0.4, -3.0, 20.0):
        expected = SquaredError(data, leave_one_out)(w)[1]
        assert slope_at(data, w, leave_one_out) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    steps = list(train(data, TrainingConfig(20, 0.1, 1.0, leave_one_out)))
    assert descended(data, 1.0, 0.1, 20, leave_one_out)[1:].tolist() == pytest.approx([step.w for step in steps])
