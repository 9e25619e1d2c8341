"""One line of JSON for each request, each page that was closed, and each error; none says what stood in a link."""

import json
import re
import secrets
import time
import traceback
from datetime import UTC, datetime

import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from attention_ui.seams import COMPONENTS, MEDIA, UPLOADS
from attention_ui.server.metrics import ERRORS

# Who knows the rest may fetch or replace the file.
PRIVATE = re.compile(f"^({UPLOADS}|{MEDIA}|{COMPONENTS}).*")


class Logged:
    """An ASGI app that writes a line about every request, and about every websocket when it closes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and write down what became of it."""
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        begun, status, size = time.perf_counter(), 101 if scope["type"] == "websocket" else 500, 0

        async def send_noted(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "websocket.close" and not size:
                status = 403
            status = message.get("status", status)
            size += len(message.get("body") or message.get("bytes") or b"")
            await send(message)

        try:
            return await self.app(scope, receive, send_noted)
        finally:
            milliseconds = round((time.perf_counter() - begun) * 1000, 1)
            method, path = scope.get("method", "WEBSOCKET"), PRIVATE.sub(r"\1...", scope["path"])
            write("request", method=method, path=path, status=status, ms=milliseconds, bytes=size)


def write(kind: str, **facts: object) -> None:
    """Write one line."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    print(json.dumps({"time": now, "kind": kind, **facts}), flush=True)


def tell_error(error: Exception) -> bool:
    """Show on the page the name under which the log has this error; return that nothing else need be shown."""
    st.error(words_on(error))
    return True


def words_on(error: BaseException | None) -> str:
    """Write an error down under a short name; return what a visitor is told, with that name."""
    name = secrets.token_hex(3)
    ERRORS.inc()
    lines = traceback.format_exception(error) if error else []
    write("error", id=name, error=type(error).__name__, traceback="".join(lines))
    return (
        f"Something went wrong here. Load the page again; if it fails again, tell who runs this server: error {name}."
    )


class Told:
    """An ASGI app whose failures are answered in words with a short name, under which the log has them."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and answer in words where the app within fails, or says that it has failed."""
        begun, failed, fault = False, False, None

        async def send_unless_failed(message: Message) -> None:
            nonlocal begun, failed
            failed = failed or message.get("status") == 500
            if not failed:
                begun = True
                await send(message)

        try:
            await self.app(scope, receive, send_unless_failed if scope["type"] == "http" else send)
        except Exception as error:
            if begun or scope["type"] != "http":
                raise
            failed, fault = True, error
        if failed:
            await PlainTextResponse(words_on(fault), 500)(scope, receive, send)
