"""Results that all visitors share: one computation at a time, bounded by bytes, whatever becomes of who computes."""

import threading
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
import torch
from streamlit.runtime.scriptrunner import RerunException, StopException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from attention_core.data import Samples
from attention_ui import shared as module
from attention_ui.controls.dataset import Dataset
from attention_ui.pictures.cache import SOON_PACKED
from attention_ui.pictures.regression import width_picture
from attention_ui.shared import Store, shared, size_of

PATIENCE = 30.0  # seconds; what hangs fails


class Counted:
    """A computation that waits until it may end, and counts how often it begins."""

    def __init__(self, *ends):
        self.ends, self.begun, self.may_end, self.lock = list(ends), 0, threading.Event(), threading.Lock()
        self.has_begun = threading.Event()

    def __call__(self):
        with self.lock:
            end = self.ends[min(self.begun, len(self.ends) - 1)]
            self.begun += 1
        self.has_begun.set()
        assert self.may_end.wait(PATIENCE)
        if isinstance(end, BaseException):
            raise end
        return end


def all_ask(store, computation, count):
    """What each of so many threads gets that ask for one key at once: a result or what was raised."""

    def ask():
        try:
            return store.get("key", computation)
        except BaseException as raised:
            return raised

    with ThreadPoolExecutor(count) as pool:
        asked = [pool.submit(ask) for _ in range(count)]
        assert computation.has_begun.wait(PATIENCE)
        while not all(each.running() or each.done() for each in asked):
            pass
        computation.may_end.set()
        return [each.result(PATIENCE) for each in asked]


def test_one_computation_serves_all_who_ask_at_once():
    computation = Counted("result")
    assert all_ask(Store(10_000), computation, 8) == ["result"] * 8
    assert computation.begun == 1


def test_a_result_too_large_to_keep_still_serves_all_who_wait():
    computation, store = Counted("x" * 5_000), Store(10_000)
    assert all_ask(store, computation, 4) == ["x" * 5_000] * 4
    assert store.held == 0


@pytest.mark.parametrize("end", [StopException(), RerunException(RerunData()), ValueError("no")], ids=repr)
def test_when_who_computes_is_ended_the_next_one_computes(end):
    computation = Counted(end, "result")
    found = all_ask(Store(10_000), computation, 6)
    assert sorted(map(str, found)).count("result") == 5
    assert found.count(end) == 1, "only who computed sees it"
    assert computation.begun == 2


def test_who_waits_can_be_stopped(monkeypatch):
    store, computation, asked = Store(10_000), Counted("result"), []

    def stop():
        asked.append(threading.current_thread().name)
        raise StopException

    monkeypatch.setattr(module, "look_for_a_stop", stop)
    with ThreadPoolExecutor(1, "first") as first, ThreadPoolExecutor(1, "second") as second:
        computes = first.submit(store.get, "key", computation)
        assert computation.has_begun.wait(PATIENCE)
        waits = second.submit(store.get, "key", computation)
        assert isinstance(waits.exception(PATIENCE), StopException)
        computation.may_end.set()
        assert computes.result(PATIENCE) == "result"
    assert asked == ["second_0"]
    assert computation.begun == 1


def test_who_waits_within_a_turn_lets_others_through_the_gate(monkeypatch):
    """With a gate for one: B waits in its turn for what A computes, and A needs a turn for that."""
    from attention_ui import gate

    monkeypatch.setattr(gate, "GATE", gate.Gate(1))
    store, b_has_turn, a_has_begun = Store(10_000), threading.Event(), threading.Event()

    def slow():
        return "result"

    def a():
        def waits_for_b():
            return slow()

        with gate.turn():
            pass
        store._underway["key"] = mine = module._Underway()  # A has said that it computes, and has no turn yet
        a_has_begun.set()
        assert b_has_turn.wait(PATIENCE)
        return store._computed("key", waits_for_b, mine)

    def b():
        assert a_has_begun.wait(PATIENCE)
        with gate.turn():
            b_has_turn.set()
            return store.get("key", slow)

    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(a), pool.submit(b)]
        assert [each.result(PATIENCE) for each in both] == ["result", "result"]


def test_results_are_bounded_by_their_bytes_and_the_oldest_go_first():
    store = Store(10_000)
    for name in "abc":
        store.get(name, lambda: bytes(2_000))
    store.get("a", bytes)  # asked for again
    for name in "de":
        store.get(name, lambda: bytes(2_000))
    assert store.held <= 10_000
    assert {name for name in "abcde" if store.get(name, lambda: None) is not None} >= {"a", "d", "e"}
    assert store.get("b", lambda: "gone") == "gone" or store.get("b", lambda: 0) is None


def test_what_a_result_holds_is_counted():
    tensor = torch.zeros(1000, dtype=torch.float64)
    pair = namedtuple("Pair", "one other")

    @dataclass(frozen=True)
    class Held:
        tensor: torch.Tensor
        name: str = "x"

    for holds in (bytes(8000), tensor, tensor[:10], [tensor, tensor.view(10, 100)], pair(tensor, 1), Held(tensor)):
        assert 8000 <= size_of(holds) < 9000, holds
    assert size_of({"a": tensor, "b": tensor.clone()}) >= 16_000
    assert 1000 <= size_of("x" * 1000) < 1500


class Slotted:
    __slots__ = ("held", "missing")

    def __init__(self, held):
        self.held = held


def test_arrays_slots_partials_and_views_are_counted():
    array = np.zeros(1000)
    for holds in (
        array,
        array[::2],
        memoryview(bytes(8000)),
        Slotted(array),
        partial(print, array),
        {"a": partial(print, a=array)},
    ):
        assert 8000 <= size_of(holds) < 9500, holds
    assert size_of([array, array[:10], torch.from_numpy(array)]) < 9500, "the same memory"
    assert size_of(np.array(["x" * 5000, None])) >= 5000


def test_what_several_results_and_their_keys_hold_together_is_counted_once():
    store, points = Store(470_000), bytes(200_000)
    for name in "abc":
        store.get((name, points), lambda: [points, bytes(30_000)])
    assert 290_000 < store.held < 300_000, "the points once, and what is in each result alone"
    store.get(("d", bytes(200_001)), lambda: "x")
    assert store.held < 470_000
    assert [name for name, _ in store._kept] == ["b", "c", "d"], "only the oldest has gone"
    for key in [*store._kept]:
        store.forget(key[0])
    assert (store.held, len(store._holders)) == (0, 0)


def test_results_about_a_million_points_are_kept_and_drive_none_out():
    x = torch.linspace(0, 1, 1_000_000, dtype=torch.float64)
    dataset = Dataset.own(Samples(x, x.sin()), "x", "y", "a file")
    for store, results in ((module.STORE, 12), (SOON_PACKED, 1)):
        mine = Store(store.most)
        for number in range(results):
            mine.get((number, dataset), lambda: (dataset.samples(), bytes(2_000_000)))
        assert all(mine.get((number, dataset), lambda: None) for number in range(results)), store.most


def test_a_picture_is_counted_with_its_tensors():
    picture = width_picture(Dataset(n=40), "gaussian", False, [1.0, 0.5, 0.25])
    held = 3 * 50 * 40 * 4  # float32
    assert held < size_of(picture) < 2.5 * held + 50_000


def test_a_shared_function_is_known_by_its_arguments():
    calls = []

    @shared
    def double(dataset: Dataset, factor: int = 2) -> int:
        calls.append(factor)
        return dataset.n * factor

    assert [double(Dataset()), double(Dataset()), double(Dataset(n=7)), double(Dataset(), factor=3)] == [
        100, 100, 14, 150,
    ]  # fmt: skip
    assert calls == [2, 2, 3]
    double.cache_clear()
    assert double(Dataset()) == 100
    assert calls == [2, 2, 3, 2]
    assert double.__name__ == "double"
