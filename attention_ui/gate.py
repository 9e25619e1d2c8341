"""One gate for all heavy work of the process: about as many pieces at a time as it has cores, fair between sessions.

    with turn():  # waits until it is this session's turn
        result = heavy_work()

Work that calls `pause` (attention_core/progress.py) lets others go first between its pieces, and ends there when its
page has been closed or has asked for something newer. Who has used little of late goes before who has used much, but
not before who has waited longer than that: so nobody starves.
"""

import os
import sys
import time
from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from math import ceil
from pathlib import Path
from threading import Event, Lock

import streamlit as st

from attention_core.progress import between_pieces
from attention_ui.seams import Stopped, session_of_run

HALF = 2.0  # seconds after which half of what a session has used is forgotten
FORGOTTEN = 1e-3  # seconds of use that are as good as none
POLL = 0.25  # seconds between two looks whether somebody who waits has gone
PATIENCE = 0.5  # seconds of waiting after which the page says so

Tell = Callable[[str], object]


class Place:
    """A place at the gate; work that goes in and out again keeps it."""

    def __init__(self, session: object) -> None:
        self.session = session
        self.begun = self.due = time.monotonic()
        self.since: float | None = None  # when it went in, where it is inside
        self.called = Event()  # it shall look: it is inside, or a newer request has come in its place
        self.replaced = False
        self.stops_with_page = True


class Gate:
    """Lets so many in at a time, one of a session; of a session that asks again while it waits, only the newest."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.observe: Callable[[float], object] = lambda seconds: None  # told how long each has waited
        self._lock = Lock()
        self._waiting: list[Place] = []  # the next first
        self._inside: list[Place] = []
        self._used: dict[object, tuple[float, float]] = {}  # seconds that a session has used of late, and when

    @property
    def waiting(self) -> int:
        """The number of places that wait."""
        return len(self._waiting)

    def enter(self, place: Place, tell: Tell, look: Callable[[], object]) -> None:
        """Wait until this place is inside; `look` and `tell` may end that by an exception, as when a page is closed."""
        asked, said = time.monotonic(), 0
        self._ask(place, asked)
        try:
            while not place.called.wait(POLL) or place.replaced:
                look()
                if place.replaced:
                    raise Stopped
                others = self._before(place)
                if time.monotonic() - asked >= PATIENCE and others != said:
                    said = others
                    tell(f"Waiting for {others:,} {'other' if others == 1 else 'others'} ...")
        except BaseException:
            self.leave(place)
            raise
        self.observe(time.monotonic() - asked)

    def leave(self, place: Place) -> None:
        """Go out, or wait no longer."""
        with self._lock:
            if place in self._waiting:
                self._waiting.remove(place)
            if place.since is None:
                return
            now = time.monotonic()
            self._inside.remove(place)
            self._used[place.session] = self._use(place.session, now) + now - place.since, now
            place.since = None
            if len(self._used) > 1000:
                self._used = {each: used for each, used in self._used.items() if self._use(each, now) > FORGOTTEN}
            self._call()

    def _ask(self, place: Place, now: float) -> None:
        with self._lock:
            place.due = now + self._use(place.session, now)
            place.called.clear()
            same = [each for each in [*self._waiting, *self._inside] if each.session == place.session]
            if any(each.begun > place.begun for each in same):  # it has let others go first, and is too old by now
                self._replace(place)
                return
            for older in same:
                if older in self._waiting:
                    self._waiting.remove(older)
                    self._replace(older)
            insort(self._waiting, place, key=lambda each: each.due)
            self._call()

    @staticmethod
    def _replace(place: Place) -> None:
        place.replaced = True
        place.called.set()

    def _call(self) -> None:
        """Let in who is next, as far as there is room."""
        for place in [*self._waiting]:
            if len(self._inside) >= self.width:
                return
            if all(each.session != place.session for each in self._inside):
                self._waiting.remove(place)
                self._inside.append(place)
                place.since = time.monotonic()
                place.called.set()

    def _before(self, place: Place) -> int:
        """How many are inside or go in before this one."""
        with self._lock:
            return len(self._inside) + (self._waiting.index(place) if place in self._waiting else 0)

    def _use(self, session: object, now: float) -> float:
        used, when = self._used.get(session, (0.0, now))
        return float(used * 0.5 ** ((now - when) / HALF))


def cores(cpu_max: Path = Path("/sys/fs/cgroup/cpu.max")) -> int:
    """How many cores this process may use: a container or its affinity may allow fewer than the machine has."""
    allowed = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    with suppress(OSError, ValueError):  # no such file, or "max"
        time_of_all, period = map(int, cpu_max.read_text().split())
        allowed = min(allowed, ceil(time_of_all / period))
    return allowed


GATE = Gate(cores())
_PLACE: ContextVar[Place | None] = ContextVar("place", default=None)  # of the work that this thread does
_TELL: ContextVar[Tell | None] = ContextVar("tell", default=None)


@contextmanager
def told(tell: Tell) -> Iterator[None]:
    """While what runs inside waits, say by this function for how many others."""
    token = _TELL.set(tell)
    try:
        yield
    finally:
        _TELL.reset(token)


@contextmanager
def turn(asker: object = None) -> Iterator[None]:
    """Wait for a turn, and let others go first between the pieces of what runs inside. Within a turn do nothing.

    An asker other than the session has a turn beside it, which only the same asker's next one replaces: what its page
    does meanwhile does not end it.
    """
    if _PLACE.get():
        yield
        return
    place = Place(asker or session_of_run() or object())  # outside of a run everybody is somebody else
    place.stops_with_page = asker is None
    _enter(place)
    token = _PLACE.set(place)
    try:
        with between_pieces(lambda: _let_others(place)):
            yield
    finally:
        _PLACE.reset(token)
        GATE.leave(place)


@contextmanager
def outside() -> Iterator[None]:
    """Go out, if this is within a turn, while what runs inside waits for somebody; then wait for another turn."""
    place = _PLACE.get()
    if place:
        GATE.leave(place)
    yield
    if place:
        _enter(place)


def look_for_a_stop() -> None:
    """End this run if its page was closed or has asked for something newer: Streamlit looks whenever it is asked."""
    if session_of_run():
        st.session_state.get("gate")


def _enter(place: Place) -> None:
    if place.stops_with_page:
        GATE.enter(place, _TELL.get() or _say, look_for_a_stop)
    else:
        GATE.enter(place, lambda words: None, lambda: None)


def _say(words: str) -> None:
    if session_of_run():
        st.toast(words)


def _let_others(place: Place) -> None:
    if place.stops_with_page:
        look_for_a_stop()
    if GATE.waiting:
        with outside():
            pass
