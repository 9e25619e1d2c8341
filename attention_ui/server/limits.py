"""Limits on what one page, one address and the whole process may ask for, so that other visitors are served."""

import asyncio
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields
from ipaddress import ip_address
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from attention_ui.seams import HOST_CONFIG, UPLOADS, is_broken, is_from_a_page, uploads_held
from attention_ui.server.addresses import is_visit, note
from attention_ui.server.pace import Pace

MEGABYTE = 1_000_000
LONGEST_MESSAGE = 1024 * 1024  # bytes, of a page; however the server was started
PREFIX = "ATTENTION_LAB_"
FULL = "As many pages are open as are served well at once. This page tries again by itself."
AT_PROCESS = "attention_lab"  # the cookie by which deploy/nginx.conf keeps a browser with its process


@dataclass(frozen=True)
class Limits:
    """How much is allowed. The environment may say otherwise: ATTENTION_LAB_SESSIONS, and so on."""

    sessions: int = 300  # pages that are open in this process
    sessions_per_address: int = 200  # a school may share one address
    messages: int = 30  # of one page in a second, as many as a key that is held down; more of them wait
    messages_per_address: int = 600
    message_kilobytes: int = 2_000  # of one page in a second: text that was pasted comes along with every message
    message_kilobytes_per_address: int = 10_000
    uploads: int = 20  # files that one page may hold
    upload_megabytes: int = 100  # of one page: two of the largest files
    upload_megabytes_per_address: int = 200
    upload_megabytes_in_all: int = 400
    body_seconds: int = 15  # within which the next piece of an upload comes
    body_kilobytes: int = 20  # in a second, that an upload brings on the average once these seconds are over

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Limits":
        """The limits as this process was told; one sentence ends the program where they are no numbers."""
        told = {each.name: environment.get(f"{PREFIX}{each.name.upper()}") for each in fields(cls)}
        for name, text in told.items():
            if text is not None and not (text.isascii() and text.isdigit() and int(text)):
                raise SystemExit(f"{PREFIX}{name.upper()} must be a whole number above 0, not {text!r}.")
        return cls(**{name: int(text) for name, text in told.items() if text is not None})


class Paces:
    """The pace of messages and the pace of their bytes."""

    def __init__(self, messages: float, kilobytes: float) -> None:
        self.messages, self.bytes = Pace(messages), Pace(kilobytes * 1000)

    def wait(self, size: int) -> float:
        """How many seconds the next message has to wait."""
        return max(self.messages.wait(), self.bytes.wait(size))


@dataclass
class Address:
    """What comes from one address: its open websockets, and the pace of what they say."""

    paces: Paces
    open: int = 0


class Upload(NamedTuple):
    """An upload under way: whose it is, and what it may hold."""

    session: str
    address: str
    size: int


class Limited:
    """An ASGI app that keeps to its limits: messages beyond them wait, pages and uploads are refused."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.limits = app, limits
        self.addresses: dict[str, Address] = {}
        self.uploads: dict[object, Upload] = {}  # by the request: many may come under one name
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
        elif (is_visit(scope) or is_about_to_connect(scope)) and self._is_full(scope):
            await (full() if is_visit(scope) else full_for_page())(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _is_full(self, scope: Scope) -> bool:
        """Whether nobody else can come in, or nobody from this address."""
        address = self.addresses.get(address_of(scope))
        of_address = address.open if address else 0
        return self.open >= self.limits.sessions or of_address >= self.limits.sessions_per_address

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold one websocket open, unless there are enough, and let its messages come at their pace."""
        limits, name = self.limits, address_of(scope)
        shared = Paces(limits.messages_per_address, limits.message_kilobytes_per_address)
        address = self.addresses.get(name) or Address(shared)
        if self._is_full(scope):
            await send({"type": "websocket.close", "code": 1013})  # try again later
            return
        self.addresses[name] = address
        address.open += 1
        try:
            own = Paces(limits.messages, limits.message_kilobytes)
            await self.app(scope, paced(receive, send, own, address.paces), send)
        finally:
            address.open -= 1
            if not address.open:
                self.addresses.pop(name, None)

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a file, unless enough are held already."""
        session, _, file = scope["path"].removeprefix(UPLOADS).partition("/")
        upload = Upload(session, address_of(scope), self._size(Headers(scope=scope)))
        if self._too_much(upload):
            await PlainTextResponse("Too many files are held: remove some first.", 413)(scope, receive, send)
            return
        self.uploads[key := object()] = upload
        self.owners[session, file] = upload.address
        try:
            await self.app(scope, hurried(receive, self.limits.body_seconds, self.limits.body_kilobytes), send)
        finally:
            del self.uploads[key]

    def _size(self, headers: Headers) -> int:
        """What a request says that it brings; the most where it does not say, or comes in chunks of any length."""
        length = headers.get("content-length", "")
        told = length.isdecimal() and "transfer-encoding" not in headers
        return int(length) if told else self.limits.upload_megabytes * MEGABYTE

    def _too_much(self, more: Upload) -> bool:
        """Whether one more file would be too much for its page, its address, or the process."""
        held = uploads_held()
        sessions = {each.session for each in self.uploads.values()}
        self.owners = {key: owner for key, owner in self.owners.items() if key in held or key[0] in sessions}
        files = [Upload(key[0], self.owners.get(key, ""), size) for key, size in held.items()]
        files += [*self.uploads.values(), more]
        of_page = [each.size for each in files if each.session == more.session]
        limits = self.limits
        return (
            len(of_page) > limits.uploads
            or sum(of_page) > limits.upload_megabytes * MEGABYTE
            or sum(each.size for each in files if each.address == more.address)
            > limits.upload_megabytes_per_address * MEGABYTE
            or sum(each.size for each in files) > limits.upload_megabytes_in_all * MEGABYTE
        )


def address_of(scope: Scope) -> str:
    """Where a request comes from; a proxy on this machine is believed when it says so (uvicorn reads its headers).

    Of IPv6 the first half: whoever has one such address has all that share it.
    """
    name: str = scope["client"][0] if scope.get("client") else ""
    try:
        address = ip_address(name)
    except ValueError:
        return name
    if address.version == 4:
        return name
    return str(address.ipv4_mapped or f"{int(address) >> 64:x}::/64")


def full() -> Response:
    """A page that says so and tries again by itself, where there are several processes at another one."""
    return _elsewhere(note("The class is full", FULL, "", "Try again now", status=503, again_after=5))


def full_for_page() -> Response:
    """The same for a page that is loaded and not connected: Streamlit shows what it is told, and asks again."""
    return _elsewhere(JSONResponse(f"The class is full. {FULL}", 429))  # it reads no other text


def _elsewhere(answer: Response) -> Response:
    answer.delete_cookie(AT_PROCESS, httponly=True, samesite="lax")
    return answer


def is_about_to_connect(scope: Scope) -> bool:
    """Whether a page asks what it asks before each websocket; a refused websocket would tell it nothing."""
    return scope["type"] == "http" and str(scope["path"]).endswith(HOST_CONFIG)


def paced(receive: Receive, send: Send, own: Paces, shared: Paces) -> Receive:
    """What a page says, not faster than it may, and only what a page of ours would say.

    What is no message, or too long, ends it.
    """

    async def next_message() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            data = message.get("bytes")
            size = len(message.get("text") or "" if data is None else data)
            if size <= LONGEST_MESSAGE:
                await asyncio.sleep(max(own.wait(size), shared.wait(size)))
            code = 1009 if size > LONGEST_MESSAGE else 1003 if data is None else 1002 if is_broken(data) else None
            if code:
                await send({"type": "websocket.close", "code": code})
                return {"type": "websocket.disconnect", "code": code}
            if data is not None and is_from_a_page(data):
                return message

    return next_message


def hurried(receive: Receive, seconds: float, kilobytes: float) -> Receive:
    """The pieces of a request's body; a disconnect where the next is late, or too little has come in all."""
    end = time.monotonic() + seconds  # put off by all that comes

    async def next_piece() -> Message:
        nonlocal end
        try:
            message = await asyncio.wait_for(receive(), min(seconds, end - time.monotonic()))
        except TimeoutError:
            return {"type": "http.disconnect"}
        end += len(message.get("body", b"")) / (kilobytes * 1000)
        return message

    return next_piece
