"""Expensive results, kept by what they depend on and shared by all visitors: each is computed once at a time.

`@shared` stands in the place of lru_cache. Its keys are our frozen dataclasses, hashed in microseconds, where
st.cache_data takes 29 ms to walk through 121 widths and copies what it returns. What it gives back is shared, so leave
it unchanged. All results together are bounded by their bytes, and those not asked for longest go first.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from functools import update_wrapper
from threading import Event, Lock
from types import FunctionType, MethodType, ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

from torch import Tensor

from attention_ui.gate import look_for_a_stop, outside, turn

P = ParamSpec("P")
T = TypeVar("T")

MOST_BYTES = 200_000_000
OBJECT, NUMBER = 100, 32  # bytes of anything, about
NUMBERS = {float, int, bool, type(None)}
POLL = 0.25  # seconds between two looks whether the visitor who waits has gone


class _Underway:
    """A result that somebody computes: the others wait for it."""

    def __init__(self) -> None:
        self.over = Event()
        self.found: list[Any] = []  # the result, once it is there


class Store:
    """Results by their keys, of so many bytes at most."""

    def __init__(self, most: int) -> None:
        self.most, self.held = most, 0
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
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
        size = size_of((key, result))
        if size > self.most // 4:  # it would drive out too much that others ask for
            return
        with self._lock:
            self._kept[key] = result, size
            self.held += size
            while self.held > self.most:
                _, (_, gone) = self._kept.popitem(last=False)
                self.held -= gone

    def forget(self, function: object) -> None:
        """Drop all results of this function."""
        with self._lock:
            for key in [each for each in self._kept if isinstance(each, tuple) and each[0] is function]:
                self.held -= self._kept.pop(key)[1]


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
    seen: set[int] = set()
    stack, size = [thing], 0
    while stack:
        each = stack.pop()
        if type(each) in NUMBERS:
            size += NUMBER
            continue
        if id(each) in seen or isinstance(each, type | ModuleType | FunctionType | MethodType):
            continue
        seen.add(id(each))
        size += OBJECT
        if isinstance(each, Tensor):
            storage = each.untyped_storage()
            if storage.data_ptr() not in seen:
                seen.add(storage.data_ptr())
                size += storage.nbytes()
        elif isinstance(each, bytes | bytearray | str):
            size += len(each)
        else:
            stack.extend(_parts(each))
    return size


def _parts(thing: Any) -> Iterable[Any]:
    """What a thing is made of."""
    if isinstance(thing, dict):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, tuple | list | set | frozenset):
        return thing
    return getattr(thing, "__dict__", {}).values()
