"""What each preset claims does happen."""

from itertools import pairwise

import pytest

from attention_core.data import generate, truth
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
    assert "3.96" not in preset.why, "who looks for the best w by hand reads it too"


def path(name):
    """Every w of the run, the first one included."""
    return [PRESETS[name].config.w0, *(step.w for step in run(name))]


def test_steady_climbs_by_ever_shorter_steps_to_near_the_optimum():
    w = path("steady")
    assert w[:5] == pytest.approx([1, 1.65, 1.88, 2.05, 2.18], abs=5e-3)
    moves = [later - earlier for earlier, later in pairwise(w)]
    assert moves == sorted(moves, reverse=True)
    assert moves[-1] > 0
    assert moves[0] < 0.7, "a small step on a way of 3"
    best = 1 / best_width(generate())
    assert 0.97 * best < w[-1] < best


@pytest.mark.parametrize("n", [25, 100, 400])
def test_a_steady_rate_means_the_same_at_every_n(n):
    data = generate(n=n)
    w = [step.w for step in train(data, PRESETS["steady"].config)]
    assert w == sorted(w)
    assert w[0] < 2 < w[-1] < 1.05 / best_width(data)


def test_d2l_reproduces_the_chapter():
    steps = run("d2l")
    assert [s.loss for s in steps] == pytest.approx([61.9502, 20.3592, 20.2998, 20.2396, 20.1784], abs=1e-3)
    assert [s.w for s in steps] == pytest.approx([9.7814, 9.6093, 9.4361, 9.2616, 9.0857], abs=1e-3)
    start, leap, *_ = path("d2l")
    assert f"from {start:.2g} to {leap:.2g}" in PRESETS["d2l"].why
    assert start < 1 / best_width(generate()) < steps[-1].w, "over the valley, and not back"


def test_50_epochs_come_back_to_the_optimum():
    assert run("fifty_epochs")[:5] == run("d2l")
    back = path("fifty_epochs")[1:]
    assert back == sorted(back, reverse=True)
    assert max(earlier - later for earlier, later in pairwise(back)) < 0.3, "it creeps"
    assert back[-1] == pytest.approx(3.96425, abs=1e-4)


def test_collapsing_w_goes_to_0_because_the_average_is_best():
    data = PRESETS["collapses"].samples()
    steps = run("collapses")
    assert PRESETS["collapses"].config == PRESETS["steady"].config
    w = [step.w for step in steps]
    assert w == sorted(w, reverse=True)
    assert 0 <= w[-1] < 1e-6
    assert len(data.x) == 20
    assert PRESETS["collapses"].recipe.noise > 1.5 * truth("wave", data.x).std(), "drowned in noise"
    assert loss_at(data, 0.0) < min(loss_at(data, w) for w in (0.1, 0.3, 1.0, 3.0, 10.0, 30.0))


def test_on_the_default_points_0_pushes_away():
    *_, last = train(generate(), TrainingConfig(w0=0.01))
    assert last.w > 1


def test_without_leave_one_out_w_grows_every_epoch_and_generalises_worse():
    steps, best = run("no_leave_one_out"), 1 / best_width(generate())
    w = path("no_leave_one_out")
    assert w == sorted(w)
    assert w[1] < best, "it does not leap over the best, it climbs past it"
    assert w[-1] > 3 * best
    assert w[-1] - w[-2] > 0.02, "and does not stop"
    assert loss_at(generate(), w[-1], loss="mean") > 2 * steps[-1].loss
    sharper = [loss_at(generate(), each, False) for each in (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)]
    assert sharper == sorted(sharper, reverse=True)
