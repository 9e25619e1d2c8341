"""Addresses that Streamlit would answer with an empty page or without a word: they get a sentence and a way on."""

import re

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from attention_ui.seams import COMPONENTS, CORE, MEDIA, STATIC

PAGE_PATH = re.compile(rb"/[A-Za-z0-9_.~-]*/?")  # of a page, be it there or not; others stop Streamlit's script
STREAMLITS_OWN = tuple(path.encode() for path in (CORE, MEDIA, COMPONENTS, STATIC))
MOST_PARAMETERS, LONGEST = 1000, 512 * 1024  # beyond either Streamlit forgets the whole query
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Attention Lab</title>
<meta name="viewport" content="width=device-width">{again}
<style>body {{ font: 20px/1.5 system-ui, sans-serif; max-width: 34em; margin: 15vh auto; padding: 0 1em }}
:root {{ color-scheme: light dark }}</style></head>
<body><h1>{title}</h1><p>{sentence}</p><p><a href="{path}">{way_on}</a></p></body></html>
"""


class Addressed:
    """An ASGI app that answers visitors, not programs, at addresses where the app within has nothing to say."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say what is wrong with its address."""
        refusal = refused(scope) if is_visit(scope) else None
        await (refusal or self.app)(scope, receive, send)


def is_visit(scope: Scope) -> bool:
    """Whether a browser asks for a page to show."""
    return (
        scope["type"] == "http" and scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "")
    )


def refused(scope: Scope) -> HTMLResponse | None:
    """The sentence for this address, or None where the app has an answer."""
    path, query = scope["raw_path"].partition(b"?")[0], scope["query_string"]
    if path.startswith(STREAMLITS_OWN):
        return None
    if not PAGE_PATH.fullmatch(path):
        return note(
            "There is no such page", "Nothing in Attention Lab has this address.", "/", "To the first page", 404
        )
    if query.count(b"&") >= MOST_PARAMETERS or len(query) > LONGEST:
        sentence = f"A link may hold {MOST_PARAMETERS:,} values of {LONGEST:,} characters in all."
        return note("This link is too long", sentence, path.decode(), "Open the page without them", 414)
    return None


def note(
    title: str, sentence: str, path: str, way_on: str, status: int, again_after: int | None = None
) -> HTMLResponse:
    """A page with one sentence and a way on, which loads itself again after so many seconds."""
    again = "" if again_after is None else f'<meta http-equiv="refresh" content="{again_after}">'
    headers = None if again_after is None else {"retry-after": str(again_after)}
    return HTMLResponse(
        PAGE.format(title=title, sentence=sentence, path=path, way_on=way_on, again=again), status, headers
    )
