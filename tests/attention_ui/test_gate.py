"""The gate for heavy work: so many at a time, one of a session, the newest of a session, and nobody starves."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.runtime.scriptrunner import StopException

from attention_core.data import generate, query_grid
from attention_core.progress import pause, watched
from attention_core.regression.estimator import Estimator
from attention_ui import gate as module
from attention_ui.gate import Gate, Place, told, turn

PATIENCE = 30.0  # seconds; what hangs fails


@pytest.fixture
def gate(monkeypatch):
    """A gate for one, in the place of the process's."""
    made = Gate(1)
    monkeypatch.setattr(module, "GATE", made)
    return made


def quiet(*_):
    """Does nothing."""


def until(condition):
    """Wait for something that other threads bring about."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.001)


def test_so_many_are_inside_at_a_time(monkeypatch):
    monkeypatch.setattr(module, "GATE", Gate(2))
    lock, inside, most = threading.Lock(), [], []

    def work():
        with turn():
            with lock:
                inside.append(1)
                most.append(len(inside))
            time.sleep(0.005)
            with lock:
                inside.pop()

    with ThreadPoolExecutor(10) as pool:
        for each in [pool.submit(work) for _ in range(20)]:
            each.result(PATIENCE)
    assert max(most) == 2


def test_a_session_has_one_inside_and_the_newest_waiting():
    gate = Gate(3)
    first, second, third = (Place("me") for _ in range(3))
    gate.enter(first, quiet, quiet)
    with ThreadPoolExecutor(2) as pool:
        waits = pool.submit(gate.enter, second, quiet, quiet)
        until(lambda: gate.waiting == 1)
        newest = pool.submit(gate.enter, third, quiet, quiet)
        assert isinstance(waits.exception(PATIENCE), StopException), "the older one ends"
        assert gate.waiting == 1
        assert not newest.done()
        gate.enter(Place("another"), quiet, quiet)  # there is room for other sessions
        gate.leave(first)
        newest.result(PATIENCE)
    assert third.since is not None


def test_older_work_that_lets_others_go_first_does_not_come_back_over_newer():
    gate = Gate(1)
    older, newer = Place("me"), Place("me")
    newer.begun = older.begun + 1
    gate.enter(older, quiet, quiet)
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(gate.enter, newer, quiet, quiet)
        until(lambda: gate.waiting == 1)
        gate.leave(older)
        waits.result(PATIENCE)
        with pytest.raises(StopException):
            gate.enter(older, quiet, quiet)
    assert newer.since is not None


def test_who_has_used_little_goes_first_and_who_has_waited_long_enough_goes_all_the_same():
    gate, now = Gate(1), time.monotonic()
    gate._used["busy"] = 1.0, now
    holder = Place("holder")
    gate.enter(holder, quiet, quiet)
    busy, late, patient = Place("busy"), Place("late"), Place("patient")
    gate._ask(busy, now)
    gate._ask(late, now + 0.3)
    gate._ask(patient, now + 5.0)
    assert [place.session for place in gate._waiting] == ["late", "busy", "patient"]


def test_use_is_forgotten():
    gate, now = Gate(1), time.monotonic()
    gate._used["busy"] = 1.0, now
    assert gate._use("busy", now + module.HALF) == pytest.approx(0.5)
    assert gate._use("nobody", now) == 0.0


def test_between_its_pieces_work_lets_others_go_first(gate, monkeypatch):
    monkeypatch.setattr("attention_core.progress.EVERY", 0.0)
    done = []

    def long():
        with turn():
            entered.set()
            until(lambda: gate.waiting == 1)
            pause()
            done.append("long")

    def short():
        with turn():
            done.append("short")

    entered = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(long)
        assert entered.wait(PATIENCE)
        pool.submit(short).result(PATIENCE)
        first.result(PATIENCE)
    assert done == ["short", "long"]


def test_two_who_predict_from_many_points_let_each_other_through(gate, monkeypatch):
    """What holds a lock of all while it lets others go first would wait for them for ever, and they for it."""
    monkeypatch.setattr("attention_core.progress.EVERY", 0.0)
    begin = threading.Barrier(2)

    def predicts(seed):
        begin.wait(PATIENCE)
        with turn():
            for _ in range(3):
                samples = generate(n=30_000, seed=seed)
                Estimator(0.5, linear=True).predict(query_grid(), samples)

    threads = [threading.Thread(target=predicts, args=(seed,), daemon=True) for seed in (1, 2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE)
    assert not any(each.is_alive() for each in threads)


def test_a_watcher_still_looks_while_others_may_go_first(gate, monkeypatch):
    monkeypatch.setattr("attention_core.progress.EVERY", 0.0)
    seen = []
    with watched(seen.append):
        with turn():
            pause(0.5)
        pause(0.75)
    assert seen == [0.5, 0.75]


def test_a_turn_within_a_turn_waits_for_nothing(gate):
    with turn(), turn():
        assert len(gate._inside) == 1
    assert not gate._inside


def test_whoever_is_ended_while_waiting_leaves_no_place_behind(gate):
    class Gone(BaseException):
        pass

    def go():
        raise Gone

    holder = Place("holder")
    gate.enter(holder, quiet, quiet)
    with pytest.raises(Gone):
        gate.enter(Place("gone"), quiet, go)
    assert not gate.waiting
    gate.leave(holder)
    with pytest.raises(ValueError, match="inside"), turn():
        raise ValueError("inside")
    assert not gate._inside


def test_it_is_said_for_how_many_others_one_waits(gate, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    monkeypatch.setattr(module, "POLL", 0.01)
    said = []
    holders = [Place("a"), Place("b")]
    gate.enter(holders[0], quiet, quiet)
    with ThreadPoolExecutor(2) as pool:
        second = pool.submit(gate.enter, holders[1], quiet, quiet)
        until(lambda: gate.waiting == 1)

        def wait():
            with told(said.append), turn():
                pass

        waits = pool.submit(wait)
        until(lambda: said)
        gate.leave(holders[0])
        second.result(PATIENCE)
        until(lambda: len(said) == 2)
        gate.leave(holders[1])
        waits.result(PATIENCE)
    assert said == ["Waiting for 2 others ...", "Waiting for 1 other ..."]


def test_how_long_each_has_waited_is_observed(gate):
    waits = []
    gate.observe = waits.append
    with turn():
        pass
    assert len(waits) == 1
    assert 0 <= waits[0] < PATIENCE


def test_an_asker_of_its_own_is_not_stopped_by_its_page(gate, monkeypatch):
    looks = []
    monkeypatch.setattr(module, "look_for_a_stop", lambda: looks.append(1))
    monkeypatch.setattr(module, "session_of_run", lambda: "a")
    inside = []

    def read():
        with turn(("a", "reading")):
            inside.append(1)

    with turn():
        looks.clear()
        reader = threading.Thread(target=read)
        reader.start()
        until(lambda: gate.waiting == 1)
        time.sleep(2 * module.POLL)
        assert inside == []
    reader.join(10)
    assert (inside, looks) == ([1], [])


def test_the_gate_is_as_wide_as_a_container_allows(tmp_path, monkeypatch):
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setattr(module.os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    limit = tmp_path / "cpu.max"
    assert module.cores(limit) == 4
    for words, width in (("max 100000", 4), ("200000 100000", 2), ("150000 100000", 2), ("900000 100000", 4), ("5", 4)):
        limit.write_text(words)
        assert module.cores(limit) == width
    limit.write_text("1000 100000")
    assert module.cores(limit) == 1
