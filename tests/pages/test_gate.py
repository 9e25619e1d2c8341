"""The gate for heavy work on the real page: of one visitor one piece runs and one waits, and it is the newest."""

import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from streamlit.runtime import Runtime
from streamlit.testing.v1 import AppTest

from attention_ui import gate as module
from attention_ui.gate import Gate, Place

APP = Path(__file__).parents[2] / "app.py"
PATIENCE = 120.0  # seconds; what hangs fails


class Counting(Gate):
    """A gate that knows the most that it has seen of one session, inside and waiting."""

    def __init__(self, width):
        super().__init__(width)
        self.most = Counter()

    def _call(self):
        super()._call()
        for where, places in (("inside", self._inside), ("waiting", self._waiting)):
            counts = Counter(place.session for place in places)
            self.most[where] = max(self.most[where], *counts.values(), 0)


@pytest.fixture
def gate(monkeypatch):
    """A gate for two, in the place of the process's."""
    made = Counting(2)
    monkeypatch.setattr(module, "GATE", made)
    return made


@pytest.fixture(autouse=True)
def runtime(monkeypatch):
    """What AppTest puts in the place of Streamlit's runtime stays until the last of several runs at once has ended."""
    latest = []

    def instance(kind):
        if kind._instance is not None:
            latest[:] = [kind._instance]
        return latest[0]

    monkeypatch.setattr(Runtime, "instance", classmethod(instance))
    monkeypatch.setattr(Runtime, "exists", classmethod(lambda kind: True))


class Asking(threading.Thread):
    """A run of the lab with a hundred thousand points; all runs of AppTest are of one session, as those of a page."""

    def __init__(self, noise):
        super().__init__(daemon=True)
        self.app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
        self.app.switch_page("pages/kernel_regression.py")
        for name, value in {"kr_n": "100000", "kr_linear": "true", "kr_noise": str(noise)}.items():
            self.app.query_params[name] = value

    def run(self):
        self.app.run()

    @property
    def came_through(self):
        """Whether its page was drawn to the slider, which comes after the picture."""
        return any(slider.key == "kr_width" for slider in self.app.select_slider)


def until(condition):
    """Wait for something that other threads bring about."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def test_of_one_visitor_one_piece_runs_one_waits_and_the_newest_comes_through(gate):
    holders = [Place("a"), Place("b")]
    for each in holders:
        gate.enter(each, print, print)
    first, second, third, last = runs = [Asking(noise) for noise in (0.15, 0.25, 0.35, 0.45)]
    first.start()
    until(lambda: gate.waiting == 1)
    for older, newer in ((first, second), (second, third)):
        newer.start()
        older.join(PATIENCE)  # a newer request has come in its place while it waited
        assert gate.waiting == 1
    for each in holders:
        gate.leave(each)
    until(lambda: gate._inside)
    last.start()  # and now one that is inside makes way between two pieces
    for each in runs:
        each.join(PATIENCE)
    assert [each.came_through for each in runs] == [False, False, False, True]
    assert gate.most == {"inside": 1, "waiting": 1}
    assert not gate._inside
    assert not gate.waiting
