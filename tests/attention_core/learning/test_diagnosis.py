"""Every outcome by a run that ends so, and remedies that really work."""

from dataclasses import replace

import pytest

from attention_core.data import generate
from attention_core.learning.diagnosis import CLOSE, diagnose
from attention_core.learning.presets import STEADY
from attention_core.learning.remedy import remedy
from attention_core.learning.training import TrainingConfig, train
from attention_core.learning.valley import floor, loss_at
from attention_core.regression.selection import best_width, loo_losses

samples = generate()
noise = generate("wave", 20, 2.0, 6)  # the plain average is best here
RUNS = {
    "found": (samples, TrainingConfig()),
    "overshot": (samples, TrainingConfig(5, 0.5, 0.375558)),
    "collapsed": (noise, TrainingConfig()),
    "ran away": (samples, TrainingConfig(200, leave_one_out=False)),
    "diverged": (samples, TrainingConfig(50, 100.0)),
    "still going": (samples, TrainingConfig(5, 0.01)),
}


def judged(data, config):
    return diagnose(list(train(data, config)), data, config)


@pytest.mark.parametrize("outcome", RUNS)
def test_every_outcome_has_its_run(outcome):
    data, config = RUNS[outcome]
    result = judged(data, config)
    assert result.outcome == outcome
    assert result.best == floor(data)
    assert result.loss == pytest.approx(loss_at(data, result.w))
    assert 20 < len(result.explanation) < 400
    assert result.explanation.endswith(".")
    assert "nan" not in result.explanation


def test_the_explanation_speaks_the_runs_numbers():
    data, config = RUNS["overshot"]
    words = judged(data, config).explanation
    assert "Epoch 1 jumped from $w = 0.376$ to 9.78, past the best, 3.96." in words
    assert "The slope of the loss there is 0.35" in words
    assert "about 29 more epochs" in words  # (9.0857 - 3.9643) / 0.1759
    assert "with the best $w$, 3.96, it would be 18" in judged(*RUNS["ran away"]).explanation
    assert judged(samples, STEADY).explanation == (
        "Training reached $w = 3.86$; the best is 3.96. The loss there, 0.3602, is within 0.1 % of the lowest, 0.3601."
    )
    early = replace(STEADY, epochs=45)
    assert judged(samples, early).explanation.startswith(
        "Training reached $w = 3.57$; the best is 3.96. The loss there,"
    )
    assert "is 0.5 % above the lowest, 0.3601." in judged(samples, early).explanation
    assert judged(noise, STEADY).explanation.startswith("$w$ is practically 0: every key weighs about the same")


def test_a_run_below_the_best_that_is_led_away_from_it_sits_in_a_side_valley():
    for seed in range(200):
        data = generate("wave", 8, 1.0, seed)
        config = TrainingConfig(200, 0.02, 0.6)
        result = judged(data, config)
        if result.outcome == "side valley":
            assert abs(result.w) < result.best.w
            assert result.loss > CLOSE * result.best.loss
            return
    pytest.fail("no such run")


def test_a_start_at_zero_never_leaves():
    config = TrainingConfig(w0=0.0)
    result = judged(samples, config)
    assert result.outcome == "collapsed"
    assert "slope is exactly 0" in result.explanation
    assert remedy(samples, config, "collapsed").words == "Start at $w = 1$"


def test_a_negative_w_is_judged_by_its_size():
    assert judged(samples, TrainingConfig(w0=-1.0)).outcome == "found"
    assert judged(samples, TrainingConfig(5, 0.5, -0.375558)).outcome == "overshot"


def test_what_is_found_needs_no_remedy_and_neither_does_the_best_average():
    assert remedy(samples, TrainingConfig(), "found") is None
    assert remedy(noise, TrainingConfig(), "collapsed") is None


@pytest.mark.parametrize("outcome", ["overshot", "ran away", "diverged", "still going"])
def test_the_remedy_of_every_failure_finds_the_best(outcome):
    data, config = RUNS[outcome]
    better = remedy(data, config, outcome)
    result = judged(data, better.config)
    assert result.outcome == "found"
    assert loo_losses(data, [1 / abs(result.w)]).item() <= 1.1 * loo_losses(data, [best_width(data)]).item()


def test_the_words_say_what_changes():
    assert remedy(*RUNS["overshot"], "overshot").words == "Use learning rate 0.2"
    assert remedy(*RUNS["ran away"], "ran away").words == "Turn leave-one-out on"
    assert remedy(*RUNS["still going"], "still going").words == "Train 50 epochs"


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("config", [
    TrainingConfig(20, 5.0), TrainingConfig(20, 50.0, 20.0), TrainingConfig(5, 1e-4, loss="mean"),
    TrainingConfig(50, 30.0, optimizer="adam"), TrainingConfig(20, 0.0), TrainingConfig(20, 1e4, leave_one_out=False),
])  # fmt: skip
def test_remedies_work_on_other_points_too(seed, config):
    data = generate(["wave", "step", "bump", "line"][seed % 4], 30, seed=seed)
    before = judged(data, config)
    better = remedy(data, config, before.outcome, before.best)
    if before.outcome == "found":
        assert better is None
    else:
        assert better.words
        assert judged(data, better.config).outcome == "found"


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("function", ["wave", "step", "bump", "doppler", "gap"])
@pytest.mark.parametrize("change", [
    {}, {"w0": 0.0}, {"w0": 50.0}, {"learning_rate": 10.0}, {"learning_rate": 1e-4}, {"leave_one_out": False},
], ids=str)  # fmt: skip
def test_remedies_work_near_the_steady_run(seed, function, change):
    data, config = generate(function, (50, 120)[seed % 2], seed=seed), replace(STEADY, **change)
    before = judged(data, config)
    better = remedy(data, config, before.outcome, before.best)
    assert (better is None) == (before.outcome == "found")
    assert better is None or judged(data, better.config).outcome == "found"


def test_with_many_points_it_is_tried_on_some_of_them():
    data = generate(n=400, seed=1)
    config = TrainingConfig(30, 0.5)
    before = judged(data, config)
    better = remedy(data, config, before.outcome, before.best)
    after = judged(data, better.config)
    assert before.outcome == "overshot"
    assert after.loss <= 1.1 * after.best.loss
