"""How quickly things may come, one after another."""

import time


class Pace:
    """A pace of so many a second; those of three seconds may come at once."""

    def __init__(self, a_second: float) -> None:
        self.gap, self.next = 1 / a_second, 0.0

    def wait(self, count: float = 1) -> float:
        """How many seconds the next one has to wait, or the next few together."""
        now = time.monotonic()
        self.next = max(self.next, now - 3) + self.gap * count
        return max(0.0, self.next - now)
