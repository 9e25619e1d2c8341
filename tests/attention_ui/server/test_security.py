"""What guards every request, without a server: headers, hosts, cookies, websockets."""

import asyncio
from collections.abc import Callable

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import server
from attention_ui.server.security import Secured, content_security_policy, for_hosts, inline_script_hashes


def answers(scope: Scope, status: int = 200, guard: Callable[[ASGIApp], ASGIApp] = Secured) -> list[Message]:
    """What a guarded app sends back when it would answer with this status, or accept a websocket."""
    sent: list[Message] = []

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
        else:
            headers = [(b"server", b"x"), (b"set-cookie", b"a=b; Path=/; SameSite=Lax")]
            await send({"type": "http.response.start", "status": status, "headers": headers})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(guard(guarded)(scope, receive, send))
    return sent


@pytest.mark.parametrize("status", [200, 304, 404, 500])
def test_every_answer_carries_the_security_headers(status: int) -> None:
    (start,) = answers({"type": "http"}, status)
    headers = dict(start["headers"])
    assert headers[b"server"] == b"x"
    assert headers[b"content-security-policy"] == content_security_policy().encode()
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"no-referrer"
    assert b"clipboard-write" not in headers[b"permissions-policy"], "pages copy links"


def test_the_policy_allows_no_eval_and_no_other_host() -> None:
    policy = content_security_policy()
    assert "eval" not in policy
    assert "http" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "'sha256-" in policy, "Streamlit's page has one script inside"


def test_sites_that_are_named_may_embed_us_and_nothing_else_gets_into_the_policy() -> None:
    assert "frame-ancestors https://lms.example http://a.b:8080" in content_security_policy(
        ["https://lms.example", "http://a.b:8080"]
    )
    for wrong in ("lms.example", "https://a.b; script-src *", "https://a.b/path", "*", "'self'"):
        with pytest.raises(SystemExit, match="ATTENTION_LAB_EMBED"):
            content_security_policy(["https://lms.example", wrong])


@pytest.mark.parametrize(
    ("scheme", "embed", "cookie"),
    [
        ("http", [], b"a=b; Path=/; SameSite=Lax"),
        ("https", [], b"a=b; Path=/; SameSite=Lax; Secure"),
        ("https", ["https://lms.example"], b"a=b; Path=/; SameSite=None; Partitioned; Secure"),
    ],
)
def test_behind_tls_a_cookie_stays_with_it(scheme: str, embed: list[str], cookie: bytes) -> None:
    scope = {"type": "http", "scheme": scheme, "path": "/", "headers": []}
    (start,) = answers(scope, guard=lambda app: Secured(app, embed))
    assert dict(start["headers"])[b"set-cookie"] == cookie


@pytest.mark.parametrize("path", ["/metrics", "/_stcore/metrics"])
@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        ("127.0.0.1", [], 200),
        ("::1", [], 200),
        ("10.0.0.7", [], 404),
        ("127.0.0.1", [(b"x-forwarded-for", b"10.0.0.7")], 404),
        ("127.0.0.1", [(b"forwarded", b"for=10.0.0.7")], 404),
    ],
)
def test_metrics_are_for_this_machine(path: str, client: str, headers: list[tuple[bytes, bytes]], status: int) -> None:
    first, *_ = answers({"type": "http", "path": path, "headers": headers, "client": (client, 1)})
    assert first["status"] == status


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("host", "served"),
    [("lab.example", True), ("lab.example:8501", True), ("127.0.0.1:8501", True), ("evil.example", False), ("", False)],
)
def test_names_that_are_not_ours_get_nothing(kind: str, host: str, served: bool) -> None:
    scope = {
        "type": kind,
        "path": "/",
        "headers": [(b"host", host.encode())],
        "extensions": {"websocket.http.response": {}},
    }
    first, *_ = answers(scope, guard=lambda app: for_hosts(app, ["lab.example"]))
    assert (first.get("status", 200) == 200) is served
    assert for_hosts(server.app, []) is server.app, "by default a class may use any name"


def test_a_probe_asks_under_any_name_whether_it_is_ready() -> None:
    for path, status in (("/readyz", 200), ("/", 400), ("/readyz/x", 400)):
        scope = {"type": "http", "path": path, "headers": [(b"host", b"10.1.2.3:8501")]}
        first, *_ = answers(scope, guard=lambda app: for_hosts(app, ["lab.example"]))
        assert first["status"] == status


def test_an_inline_script_is_allowed_by_its_digest() -> None:
    html = '<script>alert(1)</script><script src="a.js"></script>'
    assert inline_script_hashes(html) == "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"


@pytest.mark.parametrize(
    ("origin", "kind"),
    [
        (None, "websocket.accept"),
        (b"http://lab.test:8501", "websocket.accept"),
        (b"https://lab.test:8501", "websocket.accept"),
        (b"http://lab.test:9000", "websocket.close"),
        (b"http://localhost:8501", "websocket.close"),
        (b"http://evil.test", "websocket.close"),
        (b"null", "websocket.close"),
        (b"", "websocket.close"),
    ],
)
def test_only_our_own_pages_and_programs_open_a_websocket(origin: bytes | None, kind: str) -> None:
    headers = [(b"host", b"lab.test:8501")] + ([] if origin is None else [(b"origin", origin)])
    (first,) = answers({"type": "websocket", "headers": headers})
    assert first["type"] == kind
