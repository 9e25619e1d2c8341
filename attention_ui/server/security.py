"""What every answer of the server carries, and who may open a websocket."""

import base64
import hashlib
import re
from pathlib import Path
from urllib.parse import urlsplit

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def inline_script_hashes(html: str) -> str:
    """The scripts written inside a page, as the sources that a content-security policy allows by name."""
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)


def content_security_policy() -> str:
    """Everything comes from this server alone; blob: is how Streamlit loads a component's JavaScript."""
    index = Path(streamlit.__file__).parent / "static" / "index.html"
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' blob: {inline_script_hashes(index.read_text(encoding='utf-8'))}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        ]
    )


def is_foreign(headers: Headers) -> bool:
    """Whether a page of another site opens this websocket; programs send no origin and may."""
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host")


class Secured:
    """An ASGI app with security headers on every answer, and websockets for its own pages only."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = {
            "content-security-policy": content_security_policy(),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless it is a foreign websocket, and mark the answer."""

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        # Streamlit refuses these as well, but asks an outside host for our public address first.
        if scope["type"] == "websocket" and is_foreign(Headers(scope=scope)):
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self.app(scope, receive, send_marked)
