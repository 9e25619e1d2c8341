"""Expensive results, kept by what they depend on and shared by all visitors: each is computed once at a time.

`@shared` stands in the place of lru_cache. Its keys are our frozen dataclasses, hashed in microseconds, where
st.cache_data takes 29 ms to walk through 121 widths and copies what it returns. What it gives back is shared, so leave
it unchanged. All results together are bounded by their bytes, and those not asked for longest go first. What several
of them hold together, as the points that they are made of, is counted once.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable
from functools import partial, update_wrapper
from threading import Event, Lock
from types import FunctionType, MethodType, ModuleType
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

import numpy as np
from torch import Tensor

from attention_ui.gate import look_for_a_stop, outside, turn

P = ParamSpec("P")
T = TypeVar("T")

MOST_BYTES = 200_000_000
OBJECT, NUMBER = 100, 32  # bytes of anything, about
LARGE = 10_000  # bytes from which a part is counted once, however many results hold it
NUMBERS = {float, int, bool, type(None)}
POLL = 0.25  # seconds between two looks whether the visitor who waits has gone


class _Underway:
    """A result that one visitor's run computes while the others wait for it."""

    def __init__(self) -> None:
        self.over = Event()
        self.found: list[Any] = []  # the result, once it is there


class Weight(NamedTuple):
    """About how many bytes something holds: in small parts, and in every large one by its place in memory."""

    small: int
    large: dict[int, int]

    @property
    def whole(self) -> int:
        """The bytes of the whole result."""
        return self.small + sum(self.large.values())


class Store:
    """Results by their keys, of so many bytes at most."""

    def __init__(self, most: int) -> None:
        self.most, self.held = most, 0
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, tuple[Any, Weight]] = OrderedDict()
        self._holders: Counter[int] = Counter()  # how many results hold a large part
        self._underway: dict[Hashable, _Underway] = {}

    def get(self, key: Hashable, compute: Callable[[], Any]) -> Any:
        """The result of this key; who asks while another computes it waits, and computes it if the other fails."""
        while True:
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    return self._kept[key][0]
                others = self._underway.get(key)
                if others is None:
                    mine = self._underway[key] = _Underway()
            if others is None:
                return self._computed(key, compute, mine)
            with outside():
                while not others.over.wait(POLL):
                    look_for_a_stop()
            if others.found:
                return others.found[0]

    def _computed(self, key: Hashable, compute: Callable[[], Any], mine: _Underway) -> Any:
        try:
            with turn():
                result = compute()
            self._keep(key, result)
            mine.found.append(result)
            return result
        finally:  # also where Streamlit has ended the run
            with self._lock:
                del self._underway[key]
            mine.over.set()

    def _keep(self, key: Hashable, result: Any) -> None:
        given, made = weight_of(key), weight_of(result)
        whole = Weight(given.small + made.small, given.large | made.large)
        if whole.whole - given.whole > self.most // 4:  # it would drive out too much that others ask for
            return
        with self._lock:
            self._kept[key] = result, whole
            for place, size in whole.large.items():
                self.held += 0 if self._holders[place] else size
                self._holders[place] += 1
            self.held += whole.small
            while self.held > self.most:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: Hashable) -> None:
        _, weight = self._kept.pop(key)
        self.held -= weight.small
        for place, size in weight.large.items():
            self._holders[place] -= 1
            if not self._holders[place]:
                del self._holders[place]
                self.held -= size

    def forget(self, function: object) -> None:
        """Drop all results of this function."""
        with self._lock:
            for key in [each for each in self._kept if isinstance(each, tuple) and each[0] is function]:
                self._drop(key)


STORE = Store(MOST_BYTES)


class shared(Generic[P, T]):  # noqa: N801, it is a decorator
    """A function whose results are kept, in the store of all unless it has its own; its arguments are its key."""

    def __init__(self, function: Callable[P, T], store: Store = STORE) -> None:
        self.function, self.store = function, store
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """The result for these arguments."""
        key = self.function, args, *sorted(kwargs.items())
        result: T = self.store.get(key, lambda: self.function(*args, **kwargs))
        return result

    def cache_clear(self) -> None:
        """Drop its results."""
        self.store.forget(self.function)


def size_of(thing: Any) -> int:
    """About how many bytes a result holds: its tensors, bytes, texts and all that it is made of."""
    return weight_of(thing).whole


def weight_of(thing: Any) -> Weight:
    """The same, with its large parts apart."""
    seen: set[int] = set()
    large: dict[int, int] = {}
    stack, small = [thing], 0
    while stack:
        each = stack.pop()
        if type(each) in NUMBERS:
            small += NUMBER
            continue
        if id(each) in seen or isinstance(each, type | ModuleType | FunctionType | MethodType):
            continue
        seen.add(id(each))
        small += OBJECT
        place, size = _memory(each)
        if size >= LARGE:
            large[place] = size
        elif place not in seen or place == id(each):
            seen.add(place)
            small += size
        if isinstance(each, tuple | list) and {*map(type, each)} <= NUMBERS:  # the widths of a slider: no look at each
            small += NUMBER * len(each)
        elif not size:
            stack.extend(_parts(each))
    return Weight(small, large)


def _memory(thing: Any) -> tuple[int, int]:
    """Where the bytes of a thing lie and how many they are; none, where it is made of other things."""
    if isinstance(thing, Tensor):
        storage = thing.untyped_storage()
        return storage.data_ptr(), storage.nbytes()
    if isinstance(thing, bytes | bytearray | str):
        return id(thing), len(thing)
    if isinstance(thing, memoryview):
        return id(thing), thing.nbytes
    if isinstance(thing, np.ndarray) and thing.base is None and not thing.dtype.hasobject:
        return thing.ctypes.data, thing.nbytes
    return id(thing), 0


def _parts(thing: Any) -> Iterable[Any]:
    """What a thing is made of."""
    if isinstance(thing, dict):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, tuple | list | set | frozenset):
        return thing
    if isinstance(thing, np.ndarray):  # a view, or of objects
        return thing.ravel().tolist() if thing.base is None else [thing.base]
    if isinstance(thing, partial):
        return thing.func, thing.args, thing.keywords
    slots = (kind.__dict__.get("__slots__", ()) for kind in type(thing).__mro__)
    names = [name for each in slots for name in ([each] if isinstance(each, str) else each)]
    return [*getattr(thing, "__dict__", {}).values(), *(getattr(thing, name, None) for name in names)]
