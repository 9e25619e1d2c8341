"""Each limit, and what tries to break it."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from attention_ui import seams
from attention_ui.seams import UPLOADS
from attention_ui.server import limits
from attention_ui.server.limits import LONGEST_MESSAGE, Limited, Limits, Pace, address_of
from attention_ui.server.metrics import Measured

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
        assert await asked(app, path="/kernel_regression/_stcore/host-config") == 429
        await pages[0].close()
        assert await asked(app, accept="text/html") == 204

    tried(attempt)
    said = limits.full()
    assert b"The class is full" in said.body
    assert b'http-equiv="refresh" content="5"' in said.body
    assert said.headers["retry-after"] == "5"
    assert re.match('attention_lab="";.*Max-Age=0', said.headers["set-cookie"]), "another process may have room"


def test_a_full_address_is_told_so_and_others_are_not() -> None:
    async def attempt(app: Limited, server: Server) -> None:
        pages = [Visitor(app), Visitor(app)]
        await rest()
        assert await asked(app, accept="text/html") == 503
        assert await asked(app, accept="text/html", address="10.0.0.2") == 204
        for page in pages:
            await page.close()

    tried(attempt)


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


def test_large_messages_come_through_at_their_pace_too(clock: list[float]) -> None:
    large = BackMsg(rerun_script={"query_string": "a" * 1_000_000}).SerializeToString()

    async def attempt(app: Limited, server: Server) -> None:
        begun, one = clock[0], Visitor(app)
        for _ in range(30):
            one.said.put_nowait({"type": "websocket.receive", "bytes": large})
        await one.close()
        assert clock[0] - begun == pytest.approx((30 - 6) / 2, abs=0.2), "2 MB a second, 6 at once"
        begun, many = clock[0] + 100, [Visitor(app) for _ in range(20)]
        clock[0] = begun
        for each in many:
            for _ in range(6):
                each.said.put_nowait({"type": "websocket.receive", "bytes": large})
        await asyncio.gather(*(each.close() for each in many))
        assert clock[0] - begun >= (120 - 30) / 10 - 0.2, "10 MB a second of one address"

    tried(attempt, Limits())


def test_a_message_is_parsed_once_and_what_is_too_long_never(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []

    counted = SimpleNamespace(
        ParseFromString=lambda data: parsed.append(len(data)),
        WhichOneof=lambda _: "rerun_script",
        file_urls_request=BackMsg().file_urls_request,
    )
    monkeypatch.setattr(seams, "BackMsg", lambda: counted)
    server = Server()

    async def attempt() -> None:
        visitor = Visitor(Limited(Measured(server), FEW))
        for size in (10, 20, LONGEST_MESSAGE + 1):
            visitor.said.put_nowait({"type": "websocket.receive", "bytes": RERUN + b"\x00" * (size - len(RERUN))})
        await visitor.task
        assert visitor.sent[-1] == {"type": "websocket.close", "code": 1009}

    asyncio.run(attempt())
    seams._kind.cache_clear()
    assert [size for size in parsed if size] == [10, 20]
    assert [len(each) for each in server.heard] == [10, 20]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1:2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("testclient", "testclient", True),
    ],
)
def test_a_half_of_an_address_of_ipv6_counts_as_one(one: str, other: str, same: bool) -> None:
    assert (address_of({"client": (one, 1)}) == address_of({"client": (other, 2)})) is same


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
def test_what_is_no_message_ends_its_connection(message: bytes | str) -> None:
    assert heard(message, then=RERUN) == []


def heard(message: bytes | str, then: bytes | None = None) -> list[Any]:
    """What the app hears of this message, and of another one after it."""
    server = Server()

    async def attempt() -> None:
        visitor = Visitor(Limited(server, FEW))
        kind = "text" if isinstance(message, str) else "bytes"
        visitor.said.put_nowait({"type": "websocket.receive", kind: message})
        if then:
            visitor.said.put_nowait({"type": "websocket.receive", "bytes": then})
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
            assert app.uploads == {}

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
            assert app.uploads == {}

    tried(attempt)


def test_uploads_under_way_under_one_name_count_each(monkeypatch: pytest.MonkeyPatch) -> None:
    async def attempt(app: Limited, server: Server) -> None:
        with holding(monkeypatch):
            never: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
            begun: list[Scope] = []

            async def slow(scope: Scope, receive: Receive, send: Send) -> None:
                begun.append(scope)
                await never

            app.app = slow
            length = {"content_length": "50000000"}
            puts = [asyncio.create_task(asked(app, "PUT", f"{UPLOADS}a/1", **length)) for _ in range(40)]
            await rest()
            assert len(begun) == 2, "100 MB for a page"
            assert await asked(app, "PUT", f"{UPLOADS}b/1", content_length="1", transfer_encoding="chunked") == 413
            for put in puts:
                put.cancel()
            answers = await asyncio.gather(*puts, return_exceptions=True)
            assert answers.count(413) == 38
            assert app.uploads == {}

    tried(attempt, Limits(upload_megabytes_per_address=150))


async def never() -> Message:
    """Say nothing."""
    return await asyncio.get_running_loop().create_future()


def test_who_does_not_go_on_with_an_upload_has_gone() -> None:
    assert asyncio.run(limits.hurried(never, 0.01, 20)()) == {"type": "http.disconnect"}


@pytest.mark.parametrize(("size", "most"), [(1, 16), (100_000, 60), (400_000, 0)])
def test_an_upload_drop_by_drop_ends_and_a_slow_one_does_not(
    size: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])

    async def wait_for(piece: Awaitable[Message], seconds: float) -> Message:
        now[0] += min(10, max(seconds, 0))
        message = await piece
        if seconds < 10:
            raise TimeoutError
        return message

    async def piece() -> Message:
        return {"type": "http.request", "body": b"x" * size, "more_body": True}

    monkeypatch.setattr(limits.asyncio, "wait_for", wait_for)

    async def attempt() -> float:
        next_piece = limits.hurried(piece, 15, 20)
        while (await next_piece())["type"] == "http.request" and now[0] < 1100:
            pass
        return now[0] - 1000

    lasted = asyncio.run(attempt())
    assert (lasted < 100) == (size < 200_000), "20 kB a second, a piece every ten"
    assert lasted >= 100 or lasted <= most


def test_the_environment_sets_limits_and_a_wrong_one_is_called_so() -> None:
    told = {"ATTENTION_LAB_SESSIONS": "40", "ATTENTION_LAB_MESSAGES_PER_ADDRESS": "90", "SESSIONS": "7"}
    assert Limits.from_environment(told) == Limits(sessions=40, messages_per_address=90)
    for wrong in ("many", "-1", "0", "1e3", "", "٣"):
        with pytest.raises(SystemExit, match="ATTENTION_LAB_SESSIONS must be a whole number above 0"):
            Limits.from_environment({"ATTENTION_LAB_SESSIONS": wrong})
