"""What we use of Streamlit without its promise is where we think it is; else these tests say what has moved."""

import ast
import asyncio
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileURLsRequest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette import starlette_routes as routes

from attention_ui import seams

ROOT = Path(__file__).parents[2]
SOURCES = {
    path: path.read_text("utf-8") for folder in ("attention_ui", "pages") for path in (ROOT / folder).rglob("*.py")
}
STYLES = {path: path.read_text("utf-8") for path in (ROOT / "attention_ui").rglob("*.css")}
SCRIPTS = {path: path.read_text("utf-8") for path in (ROOT / "attention_ui").rglob("*.js")}
SEAMS = {path.name: text for path, text in (SOURCES | SCRIPTS).items() if path.name in ("seams.py", "streamlit.js")}
PARTS = sorted({name for text in (SOURCES | STYLES).values() for name in seams.PART.findall(text)})
INNER = tuple(
    f"streamlit.{module}"
    for module in ("runtime", "delta_generator", "elements", "proto", "errors", "web", "components.v1", "config")
)
# What only Streamlit's server and page know: addresses, files, ids and classes of elements, attributes.
PRIVATE = re.compile(
    r"_stcore|[\"'(|]/(media|component|static)\b|index\.html|static[\"']? */ *[\"']?static|data-testid|data-test-"
    r"|\.st[A-Z]\w+|\[kind[\^*$=]|data-tag|data-baseweb|emotion|\[role=[\"'](group|switch)[\"']\]"
)


@pytest.fixture(scope="module")
def shipped() -> str:
    """All scripts that Streamlit sends to the browser."""
    files = (Path(streamlit.__file__).parent / "static" / "static" / "js").glob("*.js")
    return "\n".join(file.read_text("utf-8") for file in files)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_page_that_styles_name_is_there(part, shipped):
    quoted = [f"{quote}st{part}{quote}" for quote in "\"'`"]
    assert any(each in shipped for each in quoted), f"Streamlit's page has no part st{part} any more: see seams.styled."


def test_styles_name_parts_of_the_page_in_one_way():
    assert seams.styled(":st(Main) p, a:hover") == '[data-testid="stMain"] p, a:hover'
    assert seams.styled(":inner(Tag) b") == '[data-testid="stMultiSelect"] [data-tag] b'
    named = {name for text in (SOURCES | STYLES).values() for name in seams.INNER_PART.findall(text)}
    assert named == set(seams.INNER)


def test_only_the_seams_name_what_is_inside_streamlits_page_and_server():
    others = [(path.name, text) for path, text in (SOURCES | STYLES | SCRIPTS).items() if path.name not in SEAMS]
    found = {f"{name}: {part[0]}" for name, text in others for part in PRIVATE.finditer(text)}
    assert found == set(), "These name parts of Streamlit by themselves, past attention_ui/seams.py and streamlit.js"


def test_streamlits_server_answers_where_ours_expects_it():
    moved = "Streamlit's server answers at other addresses: see CORE, UPLOADS and what stands beside them in seams"
    base = (routes.BASE_ROUTE_CORE, routes.BASE_ROUTE_MEDIA, routes.BASE_ROUTE_COMPONENT, routes.BASE_ROUTE_STATIC)
    assert tuple(f"/{route}/" for route in base) == (seams.CORE, seams.MEDIA, seams.COMPONENTS, seams.STATIC), moved
    assert f"/{routes.BASE_ROUTE_UPLOAD_FILE}/" == seams.UPLOADS, moved
    assert f"/{routes.ROUTE_METRICS}" == seams.METRICS, moved
    assert f"/{routes.ROUTE_HOST_CONFIG}" == seams.HOST_CONFIG, moved
    asked = [f"/{route}" for route in (routes.ROUTE_HEALTH, routes.ROUTE_HOST_CONFIG)]
    script = next(text for path, text in SCRIPTS.items() if path.name == "streamlit.js")
    assert all(f'"{address}"' in script for address in asked), (
        "KNOCKED in streamlit.js: Streamlit asks for its server there"
    )


def test_streamlits_page_and_scripts_are_where_they_were():
    assert "<script" in seams.PAGE.read_text("utf-8"), "Streamlit's page is another file: see seams.PAGE"
    assert list((seams.SHIPPED / "js").glob("*.js")), "Streamlit's scripts are elsewhere: see seams.SHIPPED"


def test_each_use_is_named_by_a_test():
    tests = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py"))
    used = re.findall(
        r"^(?:export )?(?:async )?function (\w+)|^export const (\w+)", SEAMS["streamlit.js"], re.MULTILINE
    )
    used += re.findall(r"^def ([a-z]\w+)|^([A-Z]\w+)\b[^=]* = ", SEAMS["seams.py"], re.MULTILINE)
    names = {name for pair in used for name in pair if name}
    assert {name for name in names if not re.search(rf"\b{name}\b", tests)} == set()


def test_streamlit_can_be_told_that_pages_are_ours():
    moved = "PagesManager has changed: see seams.leave_pages_to_app"
    assert isinstance(PagesManager.uses_pages_directory, bool | None), moved


def test_only_the_seams_import_what_is_not_public():
    def imported(text):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                yield node.module or ""
            elif isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "st":
                yield f"streamlit.{node.attr}"

    found = {path.name for path, text in SOURCES.items() if any(name.startswith(INNER) for name in imported(text))}
    assert found == {"seams.py"}


def test_a_message_of_a_page_is_told_from_others():
    """What SENT, MOST_FILES, is_from_a_page and asks_for_a_run in seams take for granted."""
    assert {kind.name for kind in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields} > seams.SENT
    run = BackMsg(rerun_script=ClientState()).SerializeToString()
    files = [
        BackMsg(file_urls_request=FileURLsRequest(file_names=["a"] * count)).SerializeToString()
        for count in (seams.MOST_FILES, seams.MOST_FILES + 1)
    ]
    clear = BackMsg(clear_cache=True).SerializeToString()
    assert [seams.is_from_a_page(each) for each in (run, *files, clear, b"none")] == [True, True, *[False] * 3]
    assert [seams.is_broken(each) for each in (run, *files, clear, b"none")] == [*[False] * 4, True]
    assert [seams.asks_for_a_run(each) for each in (run, *files, clear, b"none")] == [True, *[False] * 4]


def test_the_end_of_a_run_is_told_from_others():
    messages = [
        ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY),
        ForwardMsg(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN),
        ForwardMsg(page_info_changed={"query_string": "a=1"}),
        ForwardMsg(page_info_changed={"query_string": "a" * 600}),
    ]
    ends = [seams.ends_a_run(each.SerializeToString()) for each in messages]
    assert ends == [True, False, False, False], "the messages to a page have changed: see seams.ends_a_run"


def test_a_download_that_fails_is_told_in_our_words(monkeypatch):
    monkeypatch.setattr(DeferredFileHandler, "handle", DeferredFileHandler.handle)  # as it was, after this test
    seams.tell_failed_downloads(lambda error: f"Our words on: {error}")

    def made(file):
        if file == "bad":
            raise ValueError("no such picture")
        return f"/media/{file}"

    handler = DeferredFileHandler(lambda: SimpleNamespace(execute_deferred=made))

    def answer(file):
        request = BackendOperationRequest(request_id="1", deferred_file={"file_id": file})
        return asyncio.run(handler.handle(request, "session"))

    assert answer("bad").error_msg == "Our words on: no such picture"
    assert answer("good").deferred_file.url == "/media/good"
    assert not answer("good").error_msg


def test_what_annotations_and_exceptions_name_is_what_streamlit_uses():
    assert type(streamlit.container()) is seams.Container
    assert issubclass(seams.Stopped, BaseException)
    assert issubclass(seams.NoPlace, Exception)


def _shows_its_session():
    import streamlit as st

    from attention_ui.seams import session_of_run

    st.text(session_of_run())


def test_a_run_knows_its_session_and_other_threads_have_none():
    (shown,) = AppTest.from_function(_shows_its_session).run().text
    assert shown.value not in ("", "None"), "a run has no session any more: see seams.session_of_run"
    assert seams.session_of_run() is None


TOGETHER = (
    (AppSession, "_call_soon_on_event_loop"),
    (AppSession, "flush_browser_queue"),
    (Runtime, "_send_message"),
    (Runtime, "_enqueued_some_message"),
)


@pytest.fixture
def together(monkeypatch):
    """Messages are sent together, until the end of the test."""
    for owner, name in TOGETHER:
        assert callable(getattr(owner, name, None)), f"{owner.__name__}.{name} has moved: see seams.send_together"
        monkeypatch.setattr(owner, name, getattr(owner, name))
    seams.send_together()


def test_what_a_run_says_reaches_the_loop_in_order_in_few_steps_and_past_a_fault(together):
    async def heard():
        loop, found, woken = asyncio.get_running_loop(), [], []
        loop.set_exception_handler(lambda loop, context: found.append("fault"))
        wake = loop.call_soon_threadsafe
        session = SimpleNamespace(_event_loop=SimpleNamespace(
            call_soon=loop.call_soon, is_closed=lambda: False,
            call_soon_threadsafe=lambda call: (woken.append(1), wake(call)),
        ))  # fmt: skip

        def say():
            for number in range(100):
                call = (lambda: 1 / 0) if number == 50 else partial(found.append, number)
                AppSession._call_soon_on_event_loop(session, call)

        say()  # on the loop itself, so that nothing is heard meanwhile
        at_first = len(woken)
        while len(found) < 100:
            await asyncio.sleep(0)
        await asyncio.to_thread(say)
        while len(found) < 200:
            await asyncio.sleep(0)
        return found, at_first

    found, woken = asyncio.run(heard())
    assert found == [*range(50), "fault", *range(51, 100)] * 2
    assert woken == 1


def test_what_a_session_says_is_sent_in_one_step_and_in_order(together):
    messages = [ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY), ForwardMsg(), ForwardMsg()]
    sent, session = [], SimpleNamespace(_browser_queue=SimpleNamespace(flush=lambda: messages))
    (step,) = AppSession.flush_browser_queue(session)
    info = SimpleNamespace(script_run_count=0, client=SimpleNamespace(write_forward_msg=sent.append))
    Runtime._send_message(None, info, step)
    assert list(map(id, sent)) == list(map(id, messages))
    assert info.script_run_count == 1
    session._browser_queue.flush = list
    assert AppSession.flush_browser_queue(session) == []


def test_the_loop_that_is_awake_is_not_woken_again(together):
    woken = []
    loop = SimpleNamespace(call_soon_threadsafe=woken.append)
    for awake in (False, True):
        waits = SimpleNamespace(
            eventloop=loop, need_send_data=SimpleNamespace(is_set=lambda awake=awake: awake, set=None)
        )
        Runtime._enqueued_some_message(SimpleNamespace(_get_async_objs=lambda waits=waits: waits))
    assert len(woken) == 1


def test_the_theme_is_worked_out_once_and_is_the_same(monkeypatch):
    ask = app_session._populate_theme_msg
    assert callable(ask), "Streamlit makes its theme elsewhere: see seams.keep_theme"
    calls = []

    def counted(message, section="theme"):
        calls.append(section)
        ask(message, section)

    monkeypatch.setattr(app_session, "_populate_theme_msg", counted)
    seams.keep_theme()
    for section in ("theme", "theme.light", "theme.dark.sidebar", "theme", "theme.light"):
        expected, found = CustomThemeConfig(), CustomThemeConfig()
        ask(expected, section)
        app_session._populate_theme_msg(found, section)
        assert found == expected
    assert calls == ["theme", "theme.light", "theme.dark.sidebar"]
    assert CustomThemeConfig() != expected, "config.toml sets a theme"
