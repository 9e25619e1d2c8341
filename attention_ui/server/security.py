"""What every answer of the server carries, and who may ask for what."""

import base64
import hashlib
import re
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from attention_ui.seams import METRICS, PAGE

SITE = re.compile(r"https?://[A-Za-z0-9.*-]+(:\d{1,5})?")  # that may show us in a frame
NOBODY = ["'none'"]
NUMBERS = ("/metrics", METRICS)
BY_A_PROXY = ("forwarded", "x-forwarded-for", "x-real-ip")


def inline_script_hashes(html: str) -> str:
    """The scripts written inside a page, as the sources that a content-security policy allows by name."""
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


def content_security_policy(embed: Sequence[str] = ()) -> str:
    """Everything comes from this server alone; blob: is how Streamlit loads a component's JavaScript.

    The sites to embed us may show us in a frame.
    """
    if wrong := [site for site in embed if not SITE.fullmatch(site)]:
        raise SystemExit(
            f"ATTENTION_LAB_EMBED names sites as https://lms.example, with blanks between, not {wrong[0]!r}."
        )
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' blob: {inline_script_hashes(PAGE.read_text(encoding='utf-8'))}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            f"frame-ancestors {' '.join(embed or NOBODY)}",
        ]
    )


def is_foreign(headers: Headers) -> bool:
    """Whether a page of another site opens this websocket; programs send no origin and may."""
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")


def is_local(scope: Scope) -> bool:
    """Whether a program on this machine asks, and for itself: a proxy says for whom it does."""
    client = scope.get("client")
    local = client is not None and ip_address(client[0]).is_loopback
    return local and not any(name in Headers(scope=scope) for name in BY_A_PROXY)


def for_hosts(app: ASGIApp, hosts: Sequence[str]) -> ASGIApp:
    """The app under these names alone, and on this machine; under every name where there are none.

    Who asks whether it is ready may use any: a cluster asks a pod by its address.
    """
    if not hosts:
        return app
    trusted = TrustedHostMiddleware(app, [*hosts, "localhost", "127.0.0.1"], www_redirect=False)

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        is_probe = scope["type"] == "http" and scope["path"] == "/readyz"
        await (app if is_probe else trusted)(scope, receive, send)

    return served


class Secured:
    """An ASGI app with security headers on every answer, websockets for its own pages, and metrics for this machine."""

    def __init__(self, app: ASGIApp, embed: Sequence[str] = ()) -> None:
        self.app, self.embed = app, embed
        self.headers = {
            "content-security-policy": content_security_policy(embed),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless it is not for who asks, and mark the answer."""

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
                if scope.get("scheme") == "https":
                    message["headers"] = [(name, self._kept_safe(name, value)) for name, value in message["headers"]]
            await send(message)

        # Streamlit refuses these as well, but asks an outside host for our public address first.
        if scope["type"] == "websocket" and is_foreign(Headers(scope=scope)):
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "http" and scope.get("path") in NUMBERS and not is_local(scope):
            await PlainTextResponse("Not found", 404)(scope, receive, send_marked)
        else:
            await self.app(scope, receive, send_marked)

    def _kept_safe(self, name: bytes, value: bytes) -> bytes:
        """A header as TLS demands it: a cookie stays with TLS, and comes along into the frame of another site."""
        if name.lower() != b"set-cookie":
            return value
        if self.embed:
            value = re.sub(rb"(?i)samesite=\w+", b"SameSite=None; Partitioned", value)
        return value if b"; secure" in value.lower() else value + b"; Secure"
