"""An address that the app has no answer for gets a sentence; every other one is left alone."""

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from attention_ui.server.addresses import LONGEST, Addressed

THROUGH = (200, b"the app")


def answered(target: bytes, accept: bytes = b"text/html,*/*", method: str = "GET") -> tuple[int, bytes]:
    """Status and body for a request with this target."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"the app"})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    path, _, query = target.partition(b"?")
    headers = [(b"accept", accept)]
    scope = {"type": "http", "method": method, "raw_path": path, "query_string": query, "headers": headers}
    asyncio.run(Addressed(app)(scope, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize(
    "path", [b"/a/b", b"/kernel_regression/x/y", b"/%zz", b"/%3Cscript%3E", b"/a%2fb", b"//a.io/b"]
)
def test_an_address_of_no_page_is_called_so(path: bytes) -> None:
    status, body = answered(path)
    assert status == 404
    assert b"There is no such page" in body
    assert path not in body


@pytest.mark.parametrize("query", [b"&".join([b"a=1"] * 1001), b"a=" + b"9" * LONGEST])
def test_a_link_beyond_what_is_read_is_called_too_long(query: bytes) -> None:
    status, body = answered(b"/qkv?" + query)
    assert status == 414
    assert b"This link is too long" in body
    assert b'href="/qkv"' in body


@pytest.mark.parametrize(
    "target",
    [
        *(b"/", b"/qkv", b"/qkv/", b"/no-such-page"),
        *(b"/qkv?" + b"&".join([b"a=1"] * 1000), b"/qkv?a=%zz%00&b=<script>"),
        *(b"/media/0a.html", b"/_stcore/health", b"/static/js/a.js", b"/component/a/b.html"),
    ],
)
def test_all_others_are_left_to_the_app(target: bytes) -> None:
    assert answered(target) == THROUGH


def test_programs_and_other_methods_are_left_to_the_app() -> None:
    assert answered(b"/a/b", accept=b"*/*") == THROUGH
    assert answered(b"/a/b", method="POST") == THROUGH
