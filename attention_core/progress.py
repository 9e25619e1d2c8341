"""Long work in pieces, so that it can be watched and stopped.

    with watched(bar.progress):  # a function of the share that is done, from 0 to 1
        width = best_width(samples)

Functions that may take long call `pause` between pieces of at most about a tenth of a second. That calls the watcher
now and then; whatever it raises ends the work. Without a watcher nothing happens. The watcher belongs to the thread,
so it needs no argument anywhere, and results can be kept by what they depend on.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

EVERY = 0.05  # seconds between two calls of a watcher, at least


class _Watch:
    """A watcher, the part of the whole that is being worked on, and the share that is done."""

    def __init__(self, call: Callable[[float], object]) -> None:
        self.call, self.part = call, (0.0, 1.0)
        self.share, self.due = 0.0, time.monotonic() + EVERY


_WATCH: ContextVar[_Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(call: Callable[[float], object]) -> Iterator[None]:
    """Call this function, with the share that is done, between the pieces of what runs inside."""
    token = _WATCH.set(_Watch(call))
    try:
        yield
    finally:
        _WATCH.reset(token)


def is_watched() -> bool:
    """Whether a watcher is called for what runs now."""
    return _WATCH.get() is not None


@contextmanager
def undisturbed() -> Iterator[None]:
    """Run what is inside without a watcher, so that nothing stops it half done."""
    token = _WATCH.set(None)
    try:
        yield
    finally:
        _WATCH.reset(token)


@contextmanager
def between_pieces(call: Callable[[], object]) -> Iterator[None]:
    """Call this function between the pieces of what runs inside, before the watcher looks, if there is one."""
    watch = _WATCH.get()
    if watch is None:
        with watched(lambda share: call()):
            yield
        return
    watcher = watch.call

    def both(share: float) -> None:
        call()
        watcher(share)

    watch.call = both
    try:
        yield
    finally:
        watch.call = watcher


@contextmanager
def part(low: float, high: float) -> Iterator[None]:
    """Count what runs inside as the work from this share of the whole to that one."""
    watch = _WATCH.get()
    if watch is None:
        yield
        return
    before = watch.part
    start, length = before[0], before[1] - before[0]
    watch.part = start + low * length, start + high * length
    try:
        yield
    finally:
        watch.part = before


def pause(share: float | None = None) -> None:
    """Call the watcher, if there is one and it is time; `share` of this part of the work is done, if known."""
    watch = _WATCH.get()
    if watch is None:
        return
    if share is not None:
        low, high = watch.part
        watch.share = min(1.0, max(watch.share, low + min(share, 1.0) * (high - low)))  # parts are estimates
    if time.monotonic() >= watch.due:
        watch.call(watch.share)
        watch.due = time.monotonic() + EVERY
