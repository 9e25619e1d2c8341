"""Websockets that write what is said in one turn of the event loop at once: a page's sixty messages in a call or two.

Every call to the system lets go of the interpreter, and waits for it again while others compute. What a websocket hears
beside messages is bounded: pings, and parts of messages, which limits.py never sees.
"""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from attention_ui.server.pace import Pace

FRAMES = 30  # in a second, that are no messages; a browser answers a ping now and then, and cuts long messages


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
    """uvicorn's websocket over a Gathered transport, which ends where too many frames come that are no messages."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Write through a Gathered transport from now on."""
        super().connection_made(Gathered(transport, self.loop))  # type: ignore[arg-type]
        self.pace = Pace(FRAMES)

    def handle_ping(self) -> None:
        """Answer a ping, at this pace."""
        if self._may_come():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Hear a pong, at this pace."""
        if self._may_come():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Hear the next part of a message, at this pace."""
        if self._may_come():
            super().handle_cont(event)

    def _may_come(self) -> bool:
        """Whether one more frame may come; the first that may not ends the connection."""
        if self.close_sent:
            return False
        if self.pace.wait() == 0:
            return True
        self.conn.fail(CloseCode.POLICY_VIOLATION, "too many frames")
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CloseCode.POLICY_VIOLATION})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
        return False
