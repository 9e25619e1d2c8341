"""A limit on the time that a connection takes to send its request; uvicorn has none."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0


class Impatient(H11Protocol):
    """uvicorn's HTTP, which also closes a connection whose request does not come, or comes too slowly."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Check this connection again and again from now on."""
        super().connection_made(transport)
        self.loop.call_later(SECONDS, self._look, None)

    def _look(self, before: Any) -> None:
        """Close the connection if no request has begun since the look before, and none is being answered."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:  # it is a websocket by now
            return
        # A connection that rests between two requests is closed by uvicorn itself, in its time.
        waits = self.cycle is None or (self.cycle.response_complete and self.conn.trailing_data[0])
        if waits and before is self.cycle:
            self.transport.close()
        else:
            self.loop.call_later(SECONDS, self._look, self.cycle)
