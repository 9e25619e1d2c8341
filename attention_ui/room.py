"""Room for the data that visitors bring: of one of them and in all so many bytes, free again when nobody holds them."""

from collections import deque
from itertools import count
from threading import Lock
from weakref import finalize

from attention_core.checks import InputError

MOST, MOST_OF_ONE = 400_000_000, 200_000_000  # bytes
LITTLE = 100_000  # bytes that everybody has room for
OF_ONE = "You hold as much data as one visitor may. Load the page again to let go of what you no longer need."
OF_ALL = "The server holds as much data as it can. Try again later, or bring a smaller file."


class Place:
    """Some bytes that are held, for as long as somebody holds this."""

    def __init__(self, key: int) -> None:
        self.key = key


class Room:
    """So many bytes in all, and so many of one owner."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self.most, self.most_of_one = most, most_of_one
        self._held: dict[int, tuple[object, int]] = {}  # whose, and how many bytes, by the key of the place
        self._gone: deque[int] = deque()  # keys of places that nobody holds any more
        self._lock, self._keys = Lock(), count()

    @property
    def held(self) -> int:
        """How many bytes are held."""
        with self._lock:
            self._let_go()
            return sum(size for _, size in self._held.values())

    def take(self, owner: object, size: int, before: Place | None = None) -> Place:
        """A place of so many bytes, in which those of another one go; an InputError where there is no room."""
        with self._lock:
            self._let_go()
            old = self._held.pop(before.key, None) if before else None
            fault = self._fault(owner, size) if size > max(LITTLE, old[1] if old else 0) else ""
            if fault:
                if before and old:
                    self._held[before.key] = old
                raise InputError(fault)
            place = Place(next(self._keys))
            self._held[place.key] = owner, size
        finalize(place, self._gone.append, place.key)
        return place

    def _fault(self, owner: object, size: int) -> str:
        if size + sum(held for whose, held in self._held.values() if whose == owner) > self.most_of_one:
            return OF_ONE
        return OF_ALL if size + sum(held for _, held in self._held.values()) > self.most else ""

    def _let_go(self) -> None:
        while self._gone:
            self._held.pop(self._gone.popleft(), None)


ROOM = Room(MOST, MOST_OF_ONE)
