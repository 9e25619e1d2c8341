"""A connection that says nothing, or too little, ends; one that is used or rests between requests does not."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from attention_ui.server import patience

REQUEST = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
Attempt = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["path"] == "/slow":
        await asyncio.sleep(1)
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


def connected(attempt: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the attempt use one connection to a server whose patience ends after a fifth of a second."""
    monkeypatch.setattr(patience, "SECONDS", 0.2)

    async def run() -> None:
        config = uvicorn.Config(app, "127.0.0.1", 0, http=patience.Impatient, lifespan="off", log_level="error")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve())
        while not server.started:
            await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(*server.servers[0].sockets[0].getsockname())
        try:
            async with asyncio.timeout(20):
                await attempt(reader, writer)
        finally:
            writer.close()
            server.should_exit = True
            await serving

    asyncio.run(run())


def test_one_that_says_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def attempt(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert await reader.read() == b""

    connected(attempt, monkeypatch)


@pytest.mark.parametrize("first", [b"", REQUEST], ids=["at once", "after a whole request"])
def test_one_that_speaks_drop_by_drop_ends(first: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    async def attempt(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        if first:
            assert b"204" in await reader.readuntil(b"\r\n\r\n")
        for drop in REQUEST[:-2]:
            writer.write(bytes([drop]))
            await asyncio.sleep(0.03)
            # A drop that the closed server had not read makes its system answer with a reset, not an end.
            if reader.at_eof() or isinstance(reader.exception(), ConnectionResetError):
                return
        raise AssertionError("it is still open")

    connected(attempt, monkeypatch)


def test_a_slow_answer_and_a_rest_between_requests_are_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    async def attempt(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for target in (b"/slow", b"/"):
            writer.write(REQUEST.replace(b"/ ", target + b" ", 1))
            assert b"204" in await reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(0.7)

    connected(attempt, monkeypatch)
