"""Websockets that write what is said in one turn of the event loop at once: a page's sixty messages in a call or two.

Every call to the system lets go of the interpreter, and waits for it again while others compute.
"""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class Gathered:
    """A transport that keeps what is written until the event loop comes around."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Keep this for the end of the turn."""
        if not self._parts:
            self._loop.call_soon(self._flush)
        self._parts.append(data)

    def close(self) -> None:
        """Write what is kept, then close."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        parts, self._parts = self._parts, []
        if parts:
            self._transport.write(b"".join(parts))

    def __getattr__(self, name: str) -> Any:
        """Any other attribute is that of the transport."""
        return getattr(self._transport, name)


class WebSocket(WebSocketsSansIOProtocol):
    """uvicorn's websocket over a Gathered transport."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Write through a Gathered transport from now on."""
        super().connection_made(Gathered(transport, self.loop))  # type: ignore[arg-type]
