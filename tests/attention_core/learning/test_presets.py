"""What each preset claims does happen."""

import pytest

from attention_core.data import generate
from attention_core.learning.diagnosis import diagnose
from attention_core.learning.presets import PRESETS
from attention_core.learning.training import TrainingConfig, train
from attention_core.learning.valley import loss_at
from attention_core.regression.selection import best_width

ENDS = {
    "steady": "found",
    "d2l": "overshot",
    "fifty_epochs": "found",
    "collapses": "collapsed",
    "no_leave_one_out": "ran away",
}


def run(name):
    preset = PRESETS[name]
    return list(train(preset.samples(), preset.config))


def test_every_preset_has_a_test():
    assert set(PRESETS) == set(ENDS)


@pytest.mark.parametrize("name", ENDS)
def test_it_ends_as_it_says(name):
    preset = PRESETS[name]
    assert diagnose(run(name), preset.samples(), preset.config).outcome == ENDS[name]
    assert preset.why.endswith(".")


def test_steady_is_the_default_and_reaches_the_optimum():
    assert PRESETS["steady"].config == TrainingConfig()
    assert run("steady")[-1].w == pytest.approx(1 / best_width(generate()), rel=0.01)


def test_d2l_reproduces_the_chapter():
    steps = run("d2l")
    assert [s.loss for s in steps] == pytest.approx([61.9502, 20.3592, 20.2998, 20.2396, 20.1784], abs=1e-3)
    assert [s.w for s in steps] == pytest.approx([9.7814, 9.6093, 9.4361, 9.2616, 9.0857], abs=1e-3)


def test_50_epochs_come_back_to_the_optimum():
    assert run("fifty_epochs")[:5] == run("d2l")
    assert run("fifty_epochs")[-1].w == pytest.approx(3.96425, abs=1e-4)


def test_collapsing_w_goes_to_0_because_the_average_is_best():
    data = PRESETS["collapses"].samples()
    steps = run("collapses")
    assert abs(steps[-1].w) < 1e-6
    assert loss_at(data, 0.0) < min(loss_at(data, w) for w in (0.1, 0.3, 1.0, 3.0, 10.0, 30.0))


def test_on_the_default_points_0_pushes_away():
    *_, last = train(generate(), TrainingConfig(w0=0.01))
    assert last.w > 1


def test_without_leave_one_out_w_grows_every_epoch_and_generalises_worse():
    steps = run("no_leave_one_out")
    w = [s.w for s in steps]
    assert w == sorted(w)
    assert w[-1] > 3 / best_width(generate())
    assert loss_at(generate(), w[-1]) > 2 * steps[-1].loss
