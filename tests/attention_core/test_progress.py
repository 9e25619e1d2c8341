"""Long work can be watched and stopped, thread by thread."""

import threading
import time

import pytest

from attention_core import progress
from attention_core.progress import part, pause, watched


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.0)


def test_a_watcher_sees_the_share_that_is_done():
    seen = []
    with watched(seen.append):
        pause(0.25)
        pause()
        pause(1.0)
    assert seen == [0.25, 0.25, 1.0]


def test_the_share_stays_within_the_whole_where_more_was_done_than_thought():
    seen = []
    with watched(seen.append), part(0.5, 1.2):
        pause(0.9)
    assert seen == [1.0]


def test_without_a_watcher_nothing_happens():
    pause(0.5)
    with part(0.0, 0.5):
        pause(0.5)


def test_parts_within_parts_make_one_growing_share():
    seen = []
    with watched(seen.append):
        for place in range(2):
            with part(place / 2, (place + 1) / 2):
                pause(0.5)
                with part(0.5, 1.0):
                    pause(0.5)
                    pause(3.0)
        pause(0.1)
    assert seen == [0.25, 0.375, 0.5, 0.75, 0.875, 1.0, 1.0]


def test_what_a_watcher_raises_ends_the_work_and_the_watch():
    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), watched(stop), part(0.0, 0.5):
        pause(0.5)
    pause(0.5)


def test_a_watcher_is_not_called_all_the_time(monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.02)
    seen, end = [], time.monotonic() + 0.1
    with watched(seen.append):
        while time.monotonic() < end:
            pause()
    assert 1 <= len(seen) <= 5


def test_a_watcher_belongs_to_its_thread():
    seen = []
    with watched(seen.append):
        other = threading.Thread(target=pause, args=(0.5,))
        other.start()
        other.join()
    assert seen == []
