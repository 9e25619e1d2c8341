"""One line of JSON a request, without what stood in the link; an error has one name on the page and in the log."""

import asyncio
import json
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from attention_ui.server import logs
from attention_ui.server.metrics import ERRORS


def logged(scope: Scope, *answers: Message, fault: Exception | None = None) -> None:
    """Let an app give these answers, or fail."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        for answer in answers:
            await send(answer)
        if fault:
            raise fault

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        pass

    asyncio.run(logs.Logged(app)(scope, receive, send))


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def request(path: str, kind: str = "http") -> Scope:
    return {"type": kind, "method": "GET", "path": path, "query_string": b"kr_own=1,2;3,4"}


def test_a_request_is_one_line_without_its_query(capsys: pytest.CaptureFixture[str]) -> None:
    body = {"type": "http.response.body", "body": b"12345"}
    logged(request('/qkv\n"x'), {"type": "http.response.start", "status": 200}, body, body)
    (line,) = lines(capsys)
    assert line.pop("ms") >= 0
    assert line.pop("time").endswith("+00:00")
    assert line == {"kind": "request", "method": "GET", "path": '/qkv\n"x', "status": 200, "bytes": 10}


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("/_stcore/upload_file/3f-session/9a-file", "/_stcore/upload_file/..."),
        ("/media/0a1b.csv", "/media/..."),
        ("/_stcore/health", "/_stcore/health"),
    ],
)
def test_what_opens_a_visitors_files_is_not_written(
    path: str, written: str, capsys: pytest.CaptureFixture[str]
) -> None:
    logged(request(path), {"type": "http.response.start", "status": 204})
    assert lines(capsys)[0]["path"] == written


def test_a_websocket_is_a_line_when_it_closes_and_a_fault_is_500(capsys: pytest.CaptureFixture[str]) -> None:
    page = {"type": "websocket", "path": "/_stcore/stream"}
    logged(page, {"type": "websocket.accept"}, {"type": "websocket.send", "bytes": b"123"})
    logged(page, {"type": "websocket.close", "code": 1013})
    with pytest.raises(ValueError, match="x"):
        logged(request("/"), fault=ValueError("x"))
    assert [(line["method"], line["status"]) for line in lines(capsys)] == [
        ("WEBSOCKET", 101),
        ("WEBSOCKET", 403),
        ("GET", 500),
    ]


def test_an_error_has_one_name_on_the_page_and_in_the_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(logs.st, "error", shown.append)
    before = ERRORS._value.get()
    assert logs.tell_error(ValueError("a secret")) is True
    (line,) = lines(capsys)
    assert len(line["id"]) == 6
    assert line["id"] in shown[0]
    assert "a secret" not in shown[0]
    assert "ValueError: a secret" in line["traceback"]
    assert ERRORS._value.get() == before + 1


START, BODY = (
    {"type": "http.response.start", "status": 500, "headers": []},
    {"type": "http.response.body", "body": b"no"},
)


@pytest.mark.parametrize("said", [[], [START, BODY]], ids=["silently", "with an answer"])
def test_a_request_that_fails_is_answered_with_the_name_that_the_log_has(
    said: list[Message], capsys: pytest.CaptureFixture[str]
) -> None:
    answers = told(request("/"), said, ValueError("a secret"))
    (line,) = lines(capsys)
    assert answers[0]["status"] == 500
    assert f"error {line['id']}." in answers[1]["body"].decode()
    assert "a secret" not in answers[1]["body"].decode()
    assert "ValueError: a secret" in line["traceback"]


def test_an_answer_that_has_begun_ends_and_others_pass_as_they_are() -> None:
    good = [{**START, "status": 200}, BODY]
    assert told(request("/"), good, None) == good
    for asked in (request("/"), request("/", "websocket")):
        with pytest.raises(ValueError, match="x"):
            told(asked, good, ValueError("x"))


def told(scope: Scope, said: list[Message], fault: Exception | None) -> list[Message]:
    """What comes of an app that says this, and then fails."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        for message in said:
            await send(message)
        if fault:
            raise fault

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(logs.Told(app)(scope, receive, send))
    return sent
