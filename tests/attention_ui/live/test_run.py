"""A run that is watched: two threads at once, Stop, Go on, and a visitor who leaves."""

import time
from threading import Barrier, Event, Thread

import pytest

from attention_core import progress
from attention_core.data import generate
from attention_core.learning.training import TrainingConfig, train
from attention_core.progress import pause, watched
from attention_core.sequences.training import SeqTrainingConfig, train_steps
from attention_core.transformer.training import TransformerTrainingConfig
from attention_ui import gate
from attention_ui.live import run as module
from attention_ui.live import view
from attention_ui.live.run import TrainingRun
from attention_ui.live.sequences import Plan, SequenceRun

SEQUENCES = {
    "decoder": SeqTrainingConfig(steps=40, batch=4, hidden=4, check_every=10, check_count=2),
    "transformer": TransformerTrainingConfig(steps=40, batch=4, width=4, hidden=4, check_every=10, check_count=2),
}


def numbers(count, pause=0.001):
    """Steps that tell their number."""
    for number in range(count):
        time.sleep(pause)  # lets another thread in
        yield number


def at_once(*tasks):
    """Run these in threads that begin together; return what they raised."""
    begin, raised = Barrier(len(tasks)), []

    def caught(task):
        begin.wait()
        try:
            task()
        except Exception as fault:
            raised.append(fault)

    threads = [Thread(target=caught, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return raised


def to_the_end(run):
    while run.running:
        run.advance(0.005)


def pausing(count):
    """Steps that let somebody look in their midst."""
    for number in range(count):
        pause()
        yield number


def test_nobody_ends_a_run_in_the_midst_of_a_step(monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.0)

    def leave(share):
        raise KeyboardInterrupt

    run = TrainingRun(pausing(5), 5)
    with watched(leave):
        run.advance(0)
    assert run.steps == [0]
    to_the_end(run)
    assert run.steps == list(range(5))


def test_two_threads_make_every_step_once():
    run = TrainingRun(numbers(200), 200)
    assert at_once(lambda: to_the_end(run), lambda: to_the_end(run)) == []
    assert run.steps == list(range(200))
    assert run.complete
    assert not run.running


@pytest.mark.parametrize("config", SEQUENCES.values(), ids=list(SEQUENCES))
def test_two_threads_make_the_run_of_one(config):
    plan = Plan("reverse", config)
    run = SequenceRun(plan)
    assert at_once(lambda: to_the_end(run), lambda: to_the_end(run), run.model) == []
    assert run.losses == [progress.loss for progress in train_steps(plan.task, config)]


def test_a_run_of_w_by_two_threads_is_the_run_in_one_go():
    samples, config = generate(n=1500), TrainingConfig(epochs=4)
    run = TrainingRun(train(samples, config), config.epochs)
    assert at_once(lambda: to_the_end(run), lambda: to_the_end(run)) == []
    assert run.steps == list(train(samples, config))


def test_stop_takes_less_than_half_a_second_and_stays():
    run = TrainingRun(numbers(100_000), 100_000)
    begun = [Event(), Event()]

    def watched(event):
        event.set()
        while run.running:
            run.advance(60)

    threads = [Thread(target=watched, args=(event,)) for event in begun]
    for thread, event in zip(threads, begun, strict=True):
        thread.start()
        event.wait(5)
    time.sleep(0.1)
    before = time.monotonic()
    run.stop()
    assert time.monotonic() - before < 0.5
    stopped_at = run.step
    for thread in threads:
        thread.join(1)
        assert not thread.is_alive()
    assert run.step == stopped_at > 0, "the thread that waited for its turn makes no step either"
    assert not run.running
    assert not run.complete
    run.go_on()
    run.advance(0.02)
    assert run.step > stopped_at
    assert run.steps == list(range(run.step))


def test_a_run_that_ends_early_is_complete():
    run = TrainingRun(iter([1, 2]), 50)
    run.advance(5)
    assert (run.steps, run.complete, run.running) == ([1, 2], True, False)
    run.go_on()
    assert not run.running, "there is nothing left to do"


def test_a_run_that_makes_more_steps_than_it_should_is_complete():
    run = TrainingRun(numbers(10, 0.0), 5)
    run.steps = list(range(6))  # as if two steps had been made at once
    run.advance(60)
    assert run.complete
    assert run.step == 7, "it ends at the next step"


def test_a_slice_of_training_waits_for_its_turn(monkeypatch):
    own = gate.Gate(1)
    monkeypatch.setattr(gate, "GATE", own)
    run, holder = TrainingRun(numbers(3), 3), gate.Place("another")
    own.enter(holder, str, str)
    thread = Thread(target=run.advance, args=(5,))
    thread.start()
    while not own.waiting:
        time.sleep(0.001)
    assert run.step == 0
    own.leave(holder)
    thread.join(30)
    assert run.complete


def test_a_failing_step_does_not_keep_the_others_out():
    def failing():
        yield 1
        raise ZeroDivisionError

    run = TrainingRun(failing(), 5)
    with pytest.raises(ZeroDivisionError):
        run.advance(5)
    run.stop()
    assert run.steps == [1]


def test_a_run_that_was_left_does_not_go_on_by_itself(monkeypatch):
    run = TrainingRun(numbers(10), 10)
    run.rest_if_left()
    assert run.running
    now = time.monotonic()
    monkeypatch.setattr(module.time, "monotonic", lambda: now + module.ASLEEP + 1)
    run.rest_if_left()
    assert not run.running


class Gone(BaseException):
    """As Streamlit's own, which a closed tab or a click raises at the next call."""


class Bar:
    """A progress bar whose visitor leaves after so many signs of life."""

    def __init__(self, signs):
        self.told, self.signs = [], signs

    def progress(self, share, words):
        self.told.append((share, words))
        if len(self.told) == self.signs:
            raise Gone


def test_a_closed_tab_ends_it_at_the_next_tick():
    run, bar = TrainingRun(numbers(100_000), 100_000), Bar(2)
    begun = time.monotonic()
    with pytest.raises(Gone):
        view.watch(run, bar, lambda: f"Step {run.step}")
    assert time.monotonic() - begun < 2 * view.TICK + 0.5
    made = run.step
    time.sleep(0.1)
    assert run.step == made, "nobody trains any more"
    assert bar.told[-1] == (made / 100_000, f"Step {made}")


def test_a_run_is_watched_for_a_while_or_to_the_end(monkeypatch):
    drawn = []
    monkeypatch.setattr(view.st, "rerun", lambda: drawn.append(True))
    run = TrainingRun(numbers(500), 500)
    view.watch(run, Bar(0), lambda: "", 0.2)
    assert 0 < run.step < 500
    assert run.running
    view.watch(run, Bar(0), lambda: "")
    assert run.complete
    assert len(drawn) == 2


@pytest.mark.parametrize("config", SEQUENCES.values(), ids=SEQUENCES)
def test_a_run_that_stops_between_two_checks_is_checked_where_it_stands(config):
    run = SequenceRun(Plan("reverse", config))
    while run.step < 13:
        run.advance(0)
    assert [check.step for check in run.checks] == [0, 10]
    run.stop()
    assert [check.step for check in run.checks] == [0, 10, 13]
    assert run.checks[-1] is run.checks[-1], "it is worked out once"
    run.go_on()
    to_the_end(run)
    assert [check.step for check in run.checks] == [0, 10, 20, 30, 40], "as in a run that was never stopped"
