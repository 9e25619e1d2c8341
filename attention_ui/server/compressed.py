"""Streamlit's scripts and styles, compressed once: a class that opens a page together shares one network."""

import gzip

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from attention_ui.seams import SHIPPED, STATIC

KINDS = {".js": "text/javascript", ".css": "text/css"}
LEVEL = 6  # 9 takes three times as long and saves one byte in a hundred
HEADERS = {
    "content-encoding": "gzip",
    "vary": "accept-encoding",
    "cache-control": "public, immutable, max-age=31536000",  # as Streamlit has it: a new content has a new name
}


class Compressed:
    """An ASGI app that sends what was compressed beforehand to browsers that take it; all else it passes on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.bodies: dict[str, tuple[bytes, str]] = {}  # with their kind, by the path of the request

    def prepare(self) -> None:
        """Compress every file once; until then they go out as they are."""
        for file in SHIPPED.rglob("*.*"):
            if kind := KINDS.get(file.suffix):
                path = f"{STATIC}{file.relative_to(SHIPPED).as_posix()}"
                self.bodies[path] = gzip.compress(file.read_bytes(), LEVEL, mtime=0), kind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from what is compressed, or pass the request on; no request leads to the disk here."""
        found = self.bodies.get(scope["path"]) if takes_gzip(scope) else None
        await (Response(found[0], 200, HEADERS, found[1]) if found else self.app)(scope, receive, send)


def takes_gzip(scope: Scope) -> bool:
    """Whether this asks for a whole file that may come compressed."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    headers = Headers(scope=scope)
    return "gzip" in headers.get("accept-encoding", "") and "range" not in headers
