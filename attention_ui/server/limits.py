"""What one page, one address and the whole process may ask for: beyond it, others would wait or be lost."""

import asyncio
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from attention_ui.seams import UPLOADS, is_from_a_page, uploads_held
from attention_ui.server.addresses import is_visit, note

MEGABYTE = 1_000_000
PREFIX = "ATTENTION_LAB_"


@dataclass(frozen=True)
class Limits:
    """How much is allowed. The environment may say otherwise: ATTENTION_LAB_SESSIONS, and so on."""

    sessions: int = 300  # pages that are open in this process
    sessions_per_address: int = 200  # a school may share one address
    messages: int = 30  # of one page in a second, as many as a key that is held down; more of them wait
    messages_per_address: int = 600
    uploads: int = 20  # files that one page may hold
    upload_megabytes: int = 100  # of one page: two of the largest files
    upload_megabytes_per_address: int = 200
    upload_megabytes_in_all: int = 400
    body_seconds: int = 15  # within which the next piece of an upload comes

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Limits":
        """The limits as this process was told; one sentence ends the program where they are no numbers."""
        told = {each.name: environment.get(f"{PREFIX}{each.name.upper()}") for each in fields(cls)}
        for name, text in told.items():
            if text is not None and not (text.isascii() and text.isdigit() and int(text)):
                raise SystemExit(f"{PREFIX}{name.upper()} must be a whole number above 0, not {text!r}.")
        return cls(**{name: int(text) for name, text in told.items() if text is not None})


class Pace:
    """So many a second; as many as in three seconds may come at once."""

    def __init__(self, a_second: float) -> None:
        self.gap, self.next = 1 / a_second, 0.0

    def wait(self) -> float:
        """How many seconds the next one has to wait."""
        now = time.monotonic()
        self.next = max(self.next, now - 3) + self.gap
        return max(0.0, self.next - now)


@dataclass
class Address:
    """What comes from one address: its open websockets, and the pace of what they say."""

    pace: Pace
    open: int = 0


class Limited:
    """An ASGI app that keeps to its limits; what is beyond them waits, or is told so."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.limits = app, limits
        self.addresses: dict[str, Address] = {}
        self.coming: dict[tuple[str, str], int] = {}  # uploads under way, with what they may hold
        self.owners: dict[tuple[str, str], str] = {}  # the addresses that uploads came from

    @property
    def open(self) -> int:
        """How many pages are open."""
        return sum(address.open for address in self.addresses.values())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is within the limits."""
        if scope["type"] == "websocket":
            await self._page(scope, receive, send)
        elif scope["type"] == "http" and scope["path"].startswith(UPLOADS) and scope["method"] == "PUT":
            await self._upload(scope, receive, send)
        elif self.open >= self.limits.sessions and is_visit(scope):
            await full(self.limits.sessions)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold one websocket open, unless there are enough, and let its messages come at their pace."""
        limits, name = self.limits, address_of(scope)
        address = self.addresses.get(name) or Address(Pace(limits.messages_per_address))
        if self.open >= limits.sessions or address.open >= limits.sessions_per_address:
            await send({"type": "websocket.close", "code": 1013})  # try again later
            return
        self.addresses[name] = address
        address.open += 1
        try:
            await self.app(scope, paced(receive, Pace(limits.messages), address.pace), send)
        finally:
            address.open -= 1
            if not address.open:
                self.addresses.pop(name, None)

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a file, unless enough are held already."""
        session, _, file = scope["path"].removeprefix(UPLOADS).partition("/")
        length = Headers(scope=scope).get("content-length", "")
        size = int(length) if length.isdigit() else self.limits.upload_megabytes * MEGABYTE
        if self._too_much(session, address_of(scope), size):
            await PlainTextResponse("Too many files are held: remove some first.", 413)(scope, receive, send)
            return
        self.coming[session, file], self.owners[session, file] = size, address_of(scope)
        try:
            await self.app(scope, hurried(receive, self.limits.body_seconds), send)
        finally:
            self.coming.pop((session, file), None)

    def _too_much(self, session: str, address: str, size: int) -> bool:
        """Whether one more file of this size would be too much for its page, its address, or the process."""
        held = uploads_held() | self.coming
        self.owners = {key: owner for key, owner in self.owners.items() if key in held}
        of_page = [size, *(size for key, size in held.items() if key[0] == session)]
        of_address = [size, *(size for key, size in held.items() if self.owners.get(key) == address)]
        limits = self.limits
        return (
            len(of_page) > limits.uploads
            or sum(of_page) > limits.upload_megabytes * MEGABYTE
            or sum(of_address) > limits.upload_megabytes_per_address * MEGABYTE
            or sum(held.values()) + size > limits.upload_megabytes_in_all * MEGABYTE
        )


def address_of(scope: Scope) -> str:
    """Where a request comes from; a proxy on this machine is believed when it says so (uvicorn reads its headers)."""
    return scope["client"][0] if scope.get("client") else ""


def full(sessions: int) -> HTMLResponse:
    """A page that says so and tries again by itself."""
    sentence = f"{sessions:,} pages are open, as many as are served well at once. This page tries again by itself."
    return note("The class is full", sentence, "", "Try again now", status=503, again_after=5)


def paced(receive: Receive, own: Pace, shared: Pace) -> Receive:
    """What a page says, not faster than it may, and only what a page of ours would say."""

    async def next_message() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            await asyncio.sleep(max(own.wait(), shared.wait()))
            if message.get("bytes") is None or is_from_a_page(message["bytes"]):  # Streamlit refuses text by itself
                return message

    return next_message


def hurried(receive: Receive, seconds: float) -> Receive:
    """The pieces of a request's body; who does not send the next one in time has gone."""

    async def next_piece() -> Message:
        try:
            return await asyncio.wait_for(receive(), seconds)
        except TimeoutError:
            return {"type": "http.disconnect"}

    return next_piece
