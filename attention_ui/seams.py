"""Everything of Streamlit's Python and of its page's parts that is not public, in one place.

An upgrade of Streamlit begins here, and in pictures/js/streamlit.js for what scripts use. Each use says what it is
for and what happens where it is missing; tests/attention_ui/test_seams.py fails with its name when it has moved.
"""

import asyncio
import re
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import streamlit as st
from google.protobuf.message import DecodeError
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitInvalidLayoutContextError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse, DeferredFileResponsePayload, ForwardMsg
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

# A place on the page, as st.container gives it: for annotations alone. Missing: an import error at the start.
Container = DeltaGenerator

# What ends a run as st.stop does, which does nothing outside of one. Missing: an import error at the start.
Stopped = StopException

# What ends a part of the page that runs alone where the page has lost its container meanwhile, as in the lab when
# another tab is opened. Missing: an import error at the start.
NoPlace = StreamlitInvalidLayoutContextError

# Addresses at which Streamlit's own server answers. If they move, ours takes them for pages and says that there are
# none, does not count uploaded files, writes the names of files into its log, and shows Streamlit's numbers to anybody.
CORE, MEDIA, COMPONENTS, STATIC = "/_stcore/", "/media/", "/component/", "/static/"
UPLOADS, METRICS, HOST_CONFIG = f"{CORE}upload_file/", f"{CORE}metrics", f"{CORE}host-config"

# The page that Streamlit sends, whose scripts the content-security policy names; and its scripts and styles, which are
# compressed once. Missing: an error at the start; and they go out as they are.
PAGE = Path(st.__file__).parent / "static" / "index.html"
SHIPPED = PAGE.parent / "static"

PART, INNER_PART = re.compile(r":st\((\w+)\)"), re.compile(r":inner\((\w+)\)")

# What is inside a part of the page, and has no id of its own.
INNER = {
    "SliderTrack": ':st(Slider) [role="group"] > div > div:first-child',
    "SliderThumb": ":st(Slider) div:has(> :st(SliderThumbValue))",
    "Switch": ':st(Checkbox) label:has([role="switch"]) > div:nth-of-type(1)',
    "SwitchThatIsOn": ':st(Checkbox) label:has([role="switch"]:checked) > div:nth-of-type(1)',
    "Chosen": ':st(ButtonGroup) button:is([aria-checked="true"], [aria-pressed="true"])',
    "PrimaryButton": 'button[kind^="primary"]:enabled',
    "Tag": ":st(MultiSelect) [data-tag]",
    "CodeToken": ":st(Code) .token",
}


@lru_cache(100)
def styled(css: str) -> str:
    """CSS in which :st(Sidebar) stands for that part of Streamlit's page, found by the id that its own tests use.

    And :inner(Switch) for what INNER says. Where a part is missing, its rule does nothing: the page loses some of its
    looks, and works as before.
    """
    return PART.sub(r'[data-testid="st\1"]', INNER_PART.sub(lambda name: INNER[name[1]], css))


def open_section_style(place: int) -> str:
    """CSS that marks one section of the menu, counted from 0, as the one with the open page; the first page is before.

    Streamlit marks the page in the section's list, which is closed, and nothing in the bar. Where the bar is built
    otherwise, no section is marked.
    """
    section = styled(f":st(TopNav) > :nth-child({place + 2}) > :st(TopNavSection)")
    return f"{section} {{ box-shadow: inset 0 -3px 0 currentColor; border-radius: 0; }}"


def leave_pages_to_app() -> None:
    """Run a page inside app.py, also when it is the first that this process serves.

    Until st.navigation has run once, Streamlit takes pages/ for its own and runs the file of a deep link alone. Where
    this is missing, the first visitor with a deep link sees a page without its frame.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()


def big_slider_style(key: str) -> str:
    """CSS that makes the slider with this key large, and names its ends; its inner parts have no names of their own.

    Where they have moved, the slider has its usual size.
    """
    rules = """
:st(WidgetLabel) p { font-size: 1.25rem; font-weight: 650; line-height: 1.3; }
[role="group"] { margin-top: 0.6rem; }
:inner(SliderTrack) { height: 0.6rem; border-radius: 0.3rem; }
:inner(SliderThumb) { width: 1.9rem; height: 1.9rem; cursor: grab; animation: invite 1.5s ease-out 1s 3; }
:st(SliderThumbValue) p { font-size: 1.15rem; font-weight: 650; }
:st(SliderTickBar) { margin-top: -0.4rem; }
:st(SliderTickBar) p { font-size: 1rem; }
:st(SliderTickBar) > :first-child p::before { content: "blurred: "; }
:st(SliderTickBar) > :last-child p::before { content: "sharp: "; }"""
    own = "\n".join(f".st-key-{key} {rule}" for rule in styled(rules).strip().splitlines())
    return f""".st-key-{key} {{ --slider-focused: 1; padding-bottom: 0.4rem; }}
{own}
@keyframes invite {{
  from {{ box-shadow: 0 0 0 0 color-mix(in srgb, currentColor 35%, transparent); }}
  to {{ box-shadow: 0 0 0 1.2rem transparent; }} }}
@media (prefers-reduced-motion: reduce) {{ .st-key-{key} * {{ animation: none !important; }} }}"""


def session_of_run() -> str | None:
    """The session whose page this thread runs; None in any other thread.

    The gate tells sessions apart by it. Where it is missing, everybody is somebody else there, and nobody who has gone
    is noticed while they wait.
    """
    context = get_script_run_ctx(suppress_warning=True)
    return None if context is None else context.session_id


# What the pages of an app like ours send; the rest is for developers: to clear caches, ask git, shut the server down.
SENT = {"rerun_script", "stop_script", "file_urls_request", "backend_operation_request", "app_heartbeat"}
MOST_FILES = 10  # that one message announces
BROKEN = "broken"  # the kind of what is no message


def is_from_a_page(data: bytes) -> bool:
    """Whether a page would send these bytes over its websocket.

    Where messages are built otherwise, none is taken for a page's: the test of this says so.
    """
    kind, files = _kind(data)
    return kind in SENT and files <= MOST_FILES


def is_broken(data: bytes) -> bool:
    """Whether these bytes are no message at all; Streamlit ends such a connection too, and fills the log with it."""
    return _kind(data)[0] == BROKEN


def asks_for_a_run(data: bytes) -> bool:
    """Whether a page asks by these bytes to be run, as a whole or in a part; else runs are not counted."""
    return _kind(data)[0] == "rerun_script"


def ends_a_run(data: bytes) -> bool:
    """Whether these bytes tell a page that its run has come to its end; else runs are not timed.

    Such a message is short: what is longer is not looked into.
    """
    if len(data) > 500:
        return False
    message = ForwardMsg.FromString(data)
    early = ForwardMsg.FINISHED_EARLY_FOR_RERUN  # the run that follows answers
    ended: bool = message.WhichOneof("type") == "script_finished" and message.script_finished != early
    return ended


@lru_cache(1)  # a message is asked about more than once while it passes, and may take 10 ms to parse
def _kind(data: bytes) -> tuple[str | None, int]:
    """What kind of message a page sends, and how many files it announces."""
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return BROKEN, 0
    return message.WhichOneof("type"), len(message.file_urls_request.file_names)


class _Together(list[ForwardMsg]):
    """All that a session's run has said since its page was last told something."""


def send_together() -> None:
    """Let what a run says reach the event loop, and the page, in few steps instead of a handful for each message.

    A run of the lab sends some sixty messages. Each of them woke the loop twice and then waited for a turn of the loop
    of its own, where it competes with the threads of other visitors for the interpreter. Order and content stay as they
    are. Where these methods have moved, runs cost more; the tests of this say so.
    """
    if AppSession.flush_browser_queue.__module__ == __name__:
        return
    flush, send, enqueued = AppSession.flush_browser_queue, Runtime._send_message, Runtime._enqueued_some_message
    lock = Lock()

    def call_soon(session: AppSession, callback: Callable[[], None]) -> None:
        waiting: deque[Callable[[], None]] = session.__dict__.setdefault("_callbacks_together", deque())

        def call() -> None:
            try:
                while waiting:
                    waiting.popleft()()
            finally:
                if waiting:  # one has failed; asyncio would have called the others too
                    session._event_loop.call_soon(call)

        with lock:
            waiting.append(callback)
            first = len(waiting) == 1
        if first:
            try:
                session._event_loop.call_soon_threadsafe(call)
            except RuntimeError:
                if not session._event_loop.is_closed():
                    raise

    def flush_together(session: AppSession) -> list[Any]:
        messages = flush(session)
        return [_Together(messages)] if messages else []

    def send_all(runtime: Runtime, to: Any, message: Any) -> None:
        for each in message if isinstance(message, _Together) else [message]:
            send(runtime, to, each)

    def wake(runtime: Runtime) -> None:
        if not runtime._get_async_objs().need_send_data.is_set():
            enqueued(runtime)

    for owner, name, method in (
        (AppSession, "_call_soon_on_event_loop", call_soon),
        (AppSession, "flush_browser_queue", flush_together),
        (Runtime, "_send_message", send_all),
        (Runtime, "_enqueued_some_message", wake),
    ):
        setattr(owner, name, method)


def keep_theme() -> None:
    """Work the theme out once, instead of six times for every run: it stands in config.toml and does not change.

    Where this has moved, a run costs a millisecond more; the test of this says so.
    """
    worked_out, kept = app_session._populate_theme_msg, {}
    if worked_out.__module__ == __name__:
        return

    def populate(message: Any, section: str = "theme") -> None:
        if section not in kept:
            kept[section] = type(message)()
            worked_out(kept[section], section)
        message.MergeFrom(kept[section])

    app_session._populate_theme_msg = populate  # type: ignore[assignment]


def tell_failed_downloads(words_on: Callable[[Exception], str]) -> None:
    """Let a button whose file cannot be made say so in these words.

    Streamlit says that it failed, and not under which name the log has it. Where this has moved, so it stays.
    """

    async def handle(handler: DeferredFileHandler, request: Any, _: str) -> Any:
        make = handler._get_media_file_mgr().execute_deferred
        try:
            url = await asyncio.to_thread(make, request.deferred_file.file_id)
        except Exception as error:
            return BackendOperationResponse(request_id=request.request_id, error_msg=words_on(error))
        return BackendOperationResponse(
            request_id=request.request_id, deferred_file=DeferredFileResponsePayload(url=url)
        )

    DeferredFileHandler.handle = handle  # type: ignore[method-assign, assignment]


def uploads_held() -> dict[tuple[str, str], int]:
    """The size of every uploaded file that is in memory, by its session and its own id.

    Streamlit holds as many as are sent. Where it keeps them elsewhere, none is counted but those under way.
    """
    if not Runtime.exists():
        return {}
    storage = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    return {
        (owner, file): len(each.data) for owner, files in list(storage.items()) for file, each in list(files.items())
    }
