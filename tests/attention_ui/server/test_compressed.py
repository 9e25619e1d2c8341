"""Streamlit's own files go out compressed to those who take it, and as they are to everybody else."""

import asyncio
import gzip

import pytest
from starlette.types import Message, Receive, Scope, Send

from attention_ui.seams import SHIPPED
from attention_ui.server.compressed import Compressed

SCRIPT = max((SHIPPED / "js").glob("*.js"), key=lambda file: file.stat().st_size)
PATH = f"/static/js/{SCRIPT.name}"


async def within(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "within"})


@pytest.fixture(scope="module")
def app() -> Compressed:
    made = Compressed(within)
    made.prepare()
    return made


def asked(app: Compressed, path: str = PATH, method: str = "GET", **headers: str) -> list[Message]:
    """What comes back for one request."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    asyncio.run(app({"type": "http", "method": method, "path": path, "headers": raw}, receive, send))
    return sent


def test_a_script_arrives_whole_and_smaller(app: Compressed) -> None:
    start, body = asked(app, accept_encoding="gzip, deflate, br")
    headers = dict(start["headers"])
    assert gzip.decompress(body["body"]) == SCRIPT.read_bytes()
    assert int(headers[b"content-length"]) == len(body["body"]) < SCRIPT.stat().st_size / 2
    assert headers[b"content-encoding"] == b"gzip"
    assert headers[b"vary"] == b"accept-encoding"
    assert headers[b"content-type"].startswith(b"text/javascript")
    assert b"immutable" in headers[b"cache-control"]


def test_every_script_and_style_is_there(app: Compressed) -> None:
    files = [file for kind in ("js", "css") for file in SHIPPED.rglob(f"*.{kind}")]
    assert len(files) == len(app.bodies) > 100
    assert {file.name for file in files} == {path.rpartition("/")[2] for path in app.bodies}


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"accept_encoding": "br"},
        {"accept_encoding": "gzip", "range": "bytes=0-9"},
        {"accept_encoding": "gzip", "method": "HEAD"},
        {"accept_encoding": "gzip", "path": "/"},
        {"accept_encoding": "gzip", "path": "/static/js/../js/" + SCRIPT.name},
        {"accept_encoding": "gzip", "path": "/static/../../../../etc/passwd"},
    ],
)
def test_all_else_is_passed_on(app: Compressed, request_: dict[str, str]) -> None:
    assert asked(app, **request_) == [{"type": "within"}]


def test_before_it_is_prepared_files_go_out_as_they_are() -> None:
    assert asked(Compressed(within), accept_encoding="gzip") == [{"type": "within"}]


def test_the_same_answer_can_be_given_again(app: Compressed) -> None:
    assert asked(app, accept_encoding="gzip") == asked(app, accept_encoding="gzip")
