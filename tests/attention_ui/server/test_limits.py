"""Each limit, and what tries to break it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from attention_ui.seams import UPLOADS
from attention_ui.server import limits
from attention_ui.server.limits import Limited, Limits, Pace

FEW = Limits(sessions=3, sessions_per_address=2, uploads=2, upload_megabytes=3, upload_megabytes_per_address=4)
RERUN = BackMsg(rerun_script={}).SerializeToString()


class Visitor:
    """A websocket that stays open until it is closed: what it says comes to the app, which keeps it."""

    def __init__(self, app: Limited, address: str = "10.0.0.1") -> None:
        self.said: asyncio.Queue[Message] = asyncio.Queue()
        self.sent: list[Message] = []
        scope = {"type": "websocket", "client": (address, 1), "path": "/_stcore/stream"}
        self.task = asyncio.create_task(app(scope, self.said.get, self._send))

    async def _send(self, message: Message) -> None:
        self.sent.append(message)

    @property
    def refused(self) -> bool:
        return self.sent[0]["type"] == "websocket.close"

    async def close(self) -> None:
        self.said.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self.task


class Server:
    """The app within: it accepts every websocket, and keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self.heard.append(await receive())
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})
            return
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append(message.get("bytes") or message.get("text"))


async def rest() -> None:
    """Let everybody go on until they wait."""
    for _ in range(20):
        await asyncio.sleep(0)


async def asked(app: Limited, method: str = "GET", path: str = "/", address: str = "10.0.0.1", **headers: str) -> int:
    """The status of the answer to one request."""
    statuses: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    await app({"type": "http", "method": method, "path": path, "headers": raw, "client": (address, 1)}, receive, send)
    return statuses[0]


def tried(attempt: Callable[[Limited, Server], Awaitable[None]], allowed: Limits = FEW) -> None:
    """Run an attempt on a fresh app."""

    async def run() -> None:
        server = Server()
        await attempt(Limited(server, allowed), server)

    asyncio.run(run())


def test_an_address_and_the_process_have_room_for_so_many_pages() -> None:
    async def attempt(app: Limited, server: Server) -> None:
        first, second, third = Visitor(app), Visitor(app), Visitor(app)
        await rest()
        assert (first.refused, second.refused, third.refused) == (False, False, True)
        elsewhere, too_many = Visitor(app, "10.0.0.2"), Visitor(app, "10.0.0.3")
        await rest()
        assert (elsewhere.refused, too_many.refused) == (False, True)
        await first.close()
        again = Visitor(app, "10.0.0.3")
        await rest()
        assert not again.refused
        for visitor in (second, elsewhere, again):
            await visitor.close()
        assert app.addresses == {}, "nothing is kept of those who have gone"

    tried(attempt)


def test_a_full_process_says_so_to_visitors_and_answers_everything_else() -> None:
    async def attempt(app: Limited, server: Server) -> None:
        assert await asked(app, accept="text/html") == 204
        pages = [Visitor(app, f"10.0.0.{number}") for number in range(3)]
        await rest()
        assert await asked(app, accept="text/html") == 503
        assert await asked(app, path="/_stcore/health") == 204
        await pages[0].close()
        assert await asked(app, accept="text/html") == 204

    tried(attempt)
    said = limits.full(300)
    assert b"The class is full" in said.body
    assert b'http-equiv="refresh" content="5"' in said.body
    assert said.headers["retry-after"] == "5"


def test_a_page_that_fails_frees_its_place() -> None:
    async def attempt(app: Limited, server: Server) -> None:
        async def broken(scope: Scope, receive: Receive, send: Send) -> None:
            raise RuntimeError

        app.app = broken
        for _ in range(5):
            with pytest.raises(RuntimeError):
                await Visitor(app).task
        assert app.open == 0

    tried(attempt)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that goes on by what is slept."""
    now = [1000.0]
    real = asyncio.sleep

    async def sleep(seconds: float) -> None:
        now[0] += seconds
        await real(0)

    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(limits.asyncio, "sleep", sleep)
    return now


def test_a_flood_comes_through_at_its_pace_and_nothing_is_lost(clock: list[float]) -> None:
    async def attempt(app: Limited, server: Server) -> None:
        flooding = Visitor(app)
        begun = clock[0]
        for _ in range(390):
            flooding.said.put_nowait({"type": "websocket.receive", "bytes": RERUN})
        await flooding.close()
        assert len(server.heard) == 390
        assert clock[0] - begun == pytest.approx((390 - 90) / 30, abs=0.1)  # what three seconds allow comes at once

    tried(attempt, Limits())


def test_a_page_that_is_used_as_hands_use_it_never_waits(clock: list[float]) -> None:
    pace = Pace(30)
    waits = []
    for _ in range(300):
        clock[0] += 1 / 29  # a key that is held down
        waits.append(pace.wait())
    assert max(waits) == 0


def test_many_pages_of_one_address_share_its_pace(clock: list[float]) -> None:
    async def attempt(app: Limited, server: Server) -> None:
        pages = [Visitor(app) for _ in range(100)]
        begun = clock[0]
        for page in pages:
            for _ in range(30):
                page.said.put_nowait({"type": "websocket.receive", "bytes": RERUN})
        await asyncio.gather(*(page.close() for page in pages))
        assert len(server.heard) == 3000
        assert clock[0] - begun >= (3000 - 1800) / 600 - 0.1

    tried(attempt, Limits())


OURS = {
    "run": BackMsg(rerun_script={"query_string": "kr_n=9"}),
    "stop": BackMsg(stop_script=True),
    "an upload": BackMsg(file_urls_request={"file_names": ["a.csv"]}),
    "an operation": BackMsg(backend_operation_request={"request_id": "1"}),
}
FOREIGN = {
    "git": BackMsg(load_git_info=True),
    "clear all caches": BackMsg(clear_cache=True),
    "run when a file is saved": BackMsg(set_run_on_save=True),
    "shut down": BackMsg(debug_shutdown_runtime=True),
    "disconnect": BackMsg(debug_disconnect_websocket=True),
    "50,000 files": BackMsg(file_urls_request={"file_names": ["a"] * 50_000}),
    "nothing": BackMsg(),
}


@pytest.mark.parametrize("message", OURS.values(), ids=OURS)
def test_what_a_page_says_is_heard(message: BackMsg) -> None:
    assert heard(message.SerializeToString()) == [message.SerializeToString()]


@pytest.mark.parametrize("message", FOREIGN.values(), ids=FOREIGN)
def test_what_no_page_of_ours_says_is_not_heard(message: BackMsg) -> None:
    assert heard(message.SerializeToString()) == []


@pytest.mark.parametrize("message", [b"\xff" * 9, "text"])
def test_what_is_no_message_is_left_to_streamlit(message: bytes | str) -> None:
    assert heard(message) == [message]


def heard(message: bytes | str) -> list[Any]:
    """What the app hears of this message."""
    server = Server()

    async def attempt() -> None:
        visitor = Visitor(Limited(server, FEW))
        kind = "text" if isinstance(message, str) else "bytes"
        visitor.said.put_nowait({"type": "websocket.receive", kind: message})
        await visitor.close()

    asyncio.run(attempt())
    return server.heard


@contextmanager
def holding(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[tuple[str, str], int]]:
    """The files that Streamlit holds, as the test says."""
    held: dict[tuple[str, str], int] = {}
    monkeypatch.setattr(limits, "uploads_held", lambda: dict(held))
    yield held


def test_a_page_an_address_and_the_process_hold_so_many_uploads(monkeypatch: pytest.MonkeyPatch) -> None:
    async def attempt(app: Limited, server: Server) -> None:
        with holding(monkeypatch) as held:

            async def put(session: str, file: str, megabytes: float, address: str = "10.0.0.1") -> int:
                path, size = f"/_stcore/upload_file/{session}/{file}", int(megabytes * 1_000_000)
                status = await asked(app, "PUT", path, address, content_length=str(size))
                if status == 204:
                    held[session, file] = size
                return status

            assert await put("a", "1", 2) == 204
            assert await put("a", "2", 2) == 413, "3 MB for a page"
            assert await put("a", "2", 0.1) == 204
            assert await put("a", "3", 0.1) == 413, "2 files for a page"
            assert await put("b", "1", 2) == 413, "4 MB for an address"
            assert await put("b", "1", 2, "10.0.0.2") == 204
            assert await put("c", "1", 2, "10.0.0.3") == 413, "5 MB in all"
            held.clear()  # as when a session ends
            assert await put("a", "3", 2) == 204
            assert set(app.owners) == {("a", "3")}, "nothing is kept of those who have gone"
            assert app.coming == {}

    allowed = {"uploads": 2, "upload_megabytes": 3, "upload_megabytes_per_address": 4, "upload_megabytes_in_all": 5}
    tried(attempt, Limits(**allowed))


def test_uploads_under_way_count_and_one_without_a_length_counts_as_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    async def attempt(app: Limited, server: Server) -> None:
        with holding(monkeypatch):
            begun = asyncio.Event()

            async def slow(scope: Scope, receive: Receive, send: Send) -> None:
                begun.set()
                await receive()

            app.app = slow
            never: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
            scope = {"type": "http", "method": "PUT", "path": f"{UPLOADS}a/1", "headers": [], "client": ("x", 1)}
            under_way = asyncio.create_task(app(scope, lambda: never, lambda _: never))
            await begun.wait()
            assert await asked(app, "PUT", f"{UPLOADS}a/2", content_length="1") == 413
            under_way.cancel()
            await asyncio.gather(under_way, return_exceptions=True)
            assert app.coming == {}

    tried(attempt)


def test_who_does_not_go_on_with_an_upload_has_gone() -> None:
    async def never() -> Message:
        return await asyncio.get_running_loop().create_future()

    assert asyncio.run(limits.hurried(never, 0.01)()) == {"type": "http.disconnect"}


def test_the_environment_sets_limits_and_a_wrong_one_is_called_so() -> None:
    told = {"ATTENTION_LAB_SESSIONS": "40", "ATTENTION_LAB_MESSAGES_PER_ADDRESS": "90", "SESSIONS": "7"}
    assert Limits.from_environment(told) == Limits(sessions=40, messages_per_address=90)
    for wrong in ("many", "-1", "0", "1e3", "", "٣"):
        with pytest.raises(SystemExit, match="ATTENTION_LAB_SESSIONS must be a whole number above 0"):
            Limits.from_environment({"ATTENTION_LAB_SESSIONS": wrong})
