"""Bad input as it comes over the wire: broken addresses, damaged messages, hostile file names, a reload in between."""

import re
import socket
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Locator, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.browser.conftest import SETTLED
from tests.browser.serving import Serving, fetch

LAB = "/kernel_regression"
IGNORED = re.compile("Ignored in the link")


def answer(server: str, target: bytes, method: bytes = b"GET") -> tuple[int, str]:
    """How the server answers a request line that no browser would send."""
    parts = urlsplit(server)
    with socket.create_connection((parts.hostname, parts.port), timeout=10) as connection:
        head = b"%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (method, target, parts.netloc.encode())
        connection.sendall(head)
        said = b"".join(iter(lambda: connection.recv(65_536), b""))
    status, body = said.split(b" ", 2)[1], said.partition(b"\r\n\r\n")[2]
    return int(status), body.decode()


@dataclass(frozen=True)
class Request:
    """A request, and what becomes of it: the app opens (200), or the server says no in a few words."""

    name: str
    target: bytes
    status: int
    method: bytes = b"GET"


REQUESTS = [
    Request("a NUL", b"/?a=\x00", 400),
    Request("bytes that are no ASCII", "/ä?ö=ü".encode(), 400),
    Request("an encoded NUL in the path", b"/%00", 400),
    Request("a way out of the folder", b"/../../etc/passwd", 400),
    Request("an encoded way out", b"/static/..%2f..%2fapp.py", 400),
    Request("another method", b"/", 405, b"POST"),
    Request("100 kB", b"/?a=" + b"9" * 100_000, 200),
    Request("thousands of parameters", b"/?" + b"&".join(b"p%d=1" % number for number in range(5000)), 200),
    Request("an encoded NUL in a value", b"/?a=%00", 200),
    Request("a broken percent sign", b"/?a=%zz&b=%", 200),
    Request("signs with nothing between", b"/?&&=&=3&a", 200),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.name)
def test_every_request_gets_a_clear_answer(server: str, request_: Request) -> None:
    status, body = answer(server, request_.target, request_.method)
    assert status == request_.status
    assert "Traceback" not in body
    assert status == 200 or 0 < len(body) < 100, "a few words"
    assert fetch(server + "/readyz").status == 200


# Requests that no browser makes, byte for byte: each is answered in a few words or its connection ends, and no more.

HOST = b"Host: localhost\r\n"
PUT = b"PUT /_stcore/upload_file/%s HTTP/1.1\r\n" + HOST + b"%s\r\n%s"
HANDSHAKE = b"GET /_stcore/stream HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: websocket\r\n%s\r\n"
GET = b"GET / HTTP/1.1\r\n" + HOST
RAW = {
    "nothing that is HTTP": b"\x00\x01\x02\r\n\r\n",
    "the beginning of TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 50 + b"\r\n\r\n",
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/0.9": b"GET /\r\n\r\n",
    "HTTP/9.9": b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
    "no host": b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
    "two hosts": GET + b"Host: other\r\nConnection: close\r\n\r\n",
    "a whole address": b"GET http://other/ HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "a star": b"OPTIONS * HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "a tunnel": b"CONNECT other:443 HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "a trace": b"TRACE / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "a method of its own": b"BREW / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "a header without a name": GET + b": x\r\n\r\n",
    "a header without a colon": GET + b"x\r\n\r\n",
    "a header over two lines": GET + b"a: b\r\n c\r\nConnection: close\r\n\r\n",
    "a NUL in a header": GET + b"a: \x00\r\n\r\n",
    "a header of 300 kB": GET + b"a: " + b"x" * 300_000 + b"\r\n\r\n",
    "ten thousand headers": GET + b"a: b\r\n" * 10_000 + b"Connection: close\r\n\r\n",
    "bare line feeds": b"GET / HTTP/1.1\nHost: localhost\nConnection: close\n\n",
    "two lengths": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a length and chunks": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n"
    b"Connection: close\r\n\r\n0\r\n\r\n",
    "a length below 0": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n",
    "a length of letters": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: many\r\n\r\n",
    "a chunk of letters": b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
    "a chunk without end": b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    "a range of everything": GET + b"Range: bytes=0-18446744073709551616\r\nConnection: close\r\n\r\n",
    "a thousand ranges": GET + b"Range: bytes=" + b",".join(b"0-%d" % n for n in range(1000))
    + b"\r\nConnection: close\r\n\r\n",
    "cookies that are none": GET + b"Cookie: " + b";" * 1000 + b"=\xff\r\nConnection: close\r\n\r\n",
    "an upload of nobody": PUT % (b"nobody/file", b"Connection: close\r\nContent-Length: 0\r\n", b""),
    "an upload out of its folder": PUT % (b"../x/..%2fapp.py", b"Connection: close\r\nContent-Length: 0\r\n", b""),
    "an upload without a name": PUT % (b"", b"Connection: close\r\nContent-Length: 0\r\n", b""),
    "an upload of a terabyte": PUT % (b"a/b", b"Connection: close\r\nContent-Length: 1099511627776\r\n", b"x"),
    "an upload of another kind": PUT % (b"a/b", b"Connection: close\r\nContent-Type: multipart/form-data\r\n"
    b"Content-Length: 5\r\n", b"abcde"),
    "an upload with a length of letters": PUT % (b"a/b", b"Content-Length: \xc2\xb2\r\n", b""),
    "a file that was never made": b"GET /media/%2e%2e/etc/passwd HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "a component that is none": b"GET /component/../../app.py HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n",
    "a handshake without a key": HANDSHAKE % b"Sec-WebSocket-Version: 13\r\n",
    "a handshake of another version": HANDSHAKE % b"Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: eA==\r\n",
    "a handshake with a key that is none": HANDSHAKE % b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \xff\r\n",
    "a handshake at another place": (HANDSHAKE % b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    b"dGhlIHNhbXBsZSBub25jZQ==\r\n").replace(b"/_stcore/stream", b"/nowhere"),
}  # fmt: skip


def exchanged(server: str, sent: bytes) -> bytes:
    """What comes back until the server closes the connection, or has said what it will."""
    parts, said = urlsplit(server), b""
    with socket.create_connection((parts.hostname, parts.port), timeout=1) as connection, suppress(OSError):
        connection.sendall(sent)
        while len(said) < 1_000_000 and (piece := connection.recv(65_536)):
            said += piece
    return said


def all_exchanged(server: str, sent: Iterable[bytes]) -> list[bytes]:
    """What comes back from each, eight at a time: many are never answered, and waited for until then."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda each: exchanged(server, each), sent))


def is_harmless(said: bytes) -> bool:
    """Whether this is no answer, or one that says what the asker did wrong, or the page itself."""
    status = re.match(rb"HTTP/1\.1 ([1-4]\d\d) ", said)
    return b"Traceback" not in said and (not said or status is not None)


def test_what_no_browser_sends_is_answered_in_a_few_words_or_not_at_all(warm_server: Serving) -> None:
    before = warm_server.printed.stat().st_size
    answers = dict(zip(RAW, all_exchanged(warm_server.address, RAW.values()), strict=True))
    assert [name for name, said in answers.items() if not is_harmless(said)] == []
    assert fetch(warm_server.address + "/readyz").status == 200
    assert b"Uncaught app execution" not in warm_server.printed.read_bytes()[before:]


# Frames and messages over a websocket: each ends its own connection or is answered on it, and no other notices.

KEY = b"\x01\x02\x03\x04"  # of zeros, the mask of a frame of zeros
FRAMES = {
    "no mask": b"\x82\x01\x00",
    "a reserved opcode": b"\x83\x80" + KEY,
    "a reserved control": b"\x8b\x80" + KEY,
    "reserved bits": b"\xf2\x80" + KEY,
    "the rest of nothing": b"\x80\x80" + KEY,
    "a ping in pieces": b"\x09\x80" + KEY,
    "a ping of 126 bytes": b"\x89\xfe\x00\x7e" + KEY + b"\x00" * 126,
    "a length below 0": b"\x82\xff" + b"\xff" * 8 + KEY,
    "a promise of a terabyte": b"\x82\xff\x00\x00\x01\x00\x00\x00\x00\x00" + KEY,
    "a farewell of one byte": b"\x88\x81" + KEY + b"\x00",
    "a farewell with no such number": b"\x88\x82" + KEY + b"\x01\x02",
    "text that is no text": b"\x81\x82" + b"\x00" * 4 + b"\xff\xfe",
    "a thousand pieces of nothing": b"\x02\x80" + KEY + (b"\x00\x80" + KEY) * 1000,
}
SHAKEN = HANDSHAKE % b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


def run(**state: object) -> bytes:
    """A page asks to be run."""
    return BackMsg(rerun_script=ClientState(**state)).SerializeToString()


def set_to(name: str, **value: object) -> bytes:
    """A page says that a widget has this value."""
    return run(widget_states={"widgets": [{"id": name, **value}]})


FIELD = "$$ID-0-kr_width"
MESSAGES = {
    "text": "text",
    "no message": b"\xff" * 100,
    "zeros": b"\x00" * 100,
    "two megabytes": b"\x0a" * 2_000_000,
    "nothing": b"",
    "a query that is none": run(query_string="%zz&&==&\x00"),
    "a query of 600 kB": run(query_string="a" * 600_000),
    "5,000 parameters": run(query_string="&".join(f"p{number}=1" for number in range(5000))),
    "a page that is none": run(page_script_hash="f" * 32),
    "a page out of its folder": run(page_name="../../app.py"),
    "a page with a NUL": run(page_name="\x00"),
    "a part of no page": run(fragment_id="f" * 32),
    "a part that runs by itself": run(fragment_id="x", is_auto_rerun=True),
    "ten thousand messages that it has": run(cached_message_hashes=["x" * 32] * 10_000),
    "a zone of no time": run(context_info={"timezone": "../../etc", "timezone_offset": 2**31 - 1}),
    "a tongue of nobody": run(context_info={"locale": "\u202e" * 100, "url": "javascript:0", "color_scheme": "\x00"}),
    "a widget without a name": set_to("", bool_value=True),
    "a widget of nobody": set_to(FIELD, double_value=float("nan")),
    "a widget that is infinite": set_to(FIELD, double_array_value={"data": [float("inf")]}),
    "a widget of 50,000 numbers": set_to(FIELD, double_array_value={"data": [0.5] * 50_000}),
    "a widget of half a megabyte": set_to(FIELD, string_value="x" * 500_000),
    "a widget that is a table": set_to(FIELD, arrow_value={"data": b"\xff" * 100}),
    "a widget of broken JSON": set_to(FIELD, json_value="{"),
    "a widget of deep JSON": set_to(FIELD, json_value="[" * 50_000),
    "a file that nobody sent": set_to(FIELD, file_uploader_state_value={"uploaded_file_info": [{"file_id": "x"}]}),
    "20,000 widgets": run(widget_states={"widgets": [{"id": f"w{number}"} for number in range(20_000)]}),
    "a file with a path for a name": BackMsg(file_urls_request={"file_names": ["../../x", "\x00"]}).SerializeToString(),
    "11 files": BackMsg(file_urls_request={"file_names": ["a"] * 11}).SerializeToString(),
    "an operation that is none": BackMsg(backend_operation_request={"request_id": "\x00" * 1000}).SerializeToString(),
    "all caches cleared": BackMsg(clear_cache=True).SerializeToString(),
    "a look into git": BackMsg(load_git_info=True).SerializeToString(),
    "the end of the server": BackMsg(debug_shutdown_runtime=True).SerializeToString(),
    "the end of the connection": BackMsg(debug_disconnect_websocket=True).SerializeToString(),
}  # fmt: skip
ENDED = ("text", "no message", "zeros", "two megabytes")  # what is no message ends its connection


def tried(address: str, message: str | bytes) -> bool:
    """Send this on a connection of its own; whether that connection is open afterwards."""
    with connect(address, max_size=None) as hostile:
        hostile.send(message)
        with suppress(ConnectionClosed):
            hostile.ping(ack_on_close=True).wait(30)
            return hostile.state is State.OPEN
    return False


def test_no_frame_and_no_message_harms_another(warm_server: Serving) -> None:
    address = warm_server.address.replace("http", "ws") + "/_stcore/stream"
    with connect(address, max_size=None) as bystander:
        said = all_exchanged(warm_server.address, [SHAKEN + frame for frame in FRAMES.values()])
        assert [name for name, each in zip(FRAMES, said, strict=True) if not is_harmless(each)] == []
        open_after = {name: tried(address, message) for name, message in MESSAGES.items()}
        assert [name for name, is_open in open_after.items() if not is_open and name not in ENDED] == []
        assert bystander.ping().wait(10)
        bystander.send(run())
        assert ForwardMsg.FromString(bystander.recv(timeout=30, decode=False)).WhichOneof("type") == "new_session"
    assert fetch(warm_server.address + "/readyz").status == 200


def flooded(hostile: Connection, flood: str) -> None:
    """Send what is no message until the connection ends."""
    if flood == "parts of a message":
        hostile.send(b"x" for _ in range(10_000))
    for _ in range(10_000):
        (hostile.ping if flood == "pings" else hostile.pong)()
    hostile.recv(timeout=30)


@pytest.mark.parametrize("flood", ["pings", "pongs", "parts of a message"])
def test_a_flood_of_frames_that_are_no_messages_ends_its_connection_alone(warm_server: Serving, flood: str) -> None:
    address = warm_server.address.replace("http", "ws") + "/_stcore/stream"
    with connect(address, max_size=None) as bystander, connect(address, max_size=None) as hostile:
        with pytest.raises(ConnectionClosed) as ended:
            flooded(hostile, flood)
        assert ended.value.rcvd is None or ended.value.rcvd.code == 1008, "a reset may overtake what was said"
        assert bystander.ping().wait(10)
    assert fetch(warm_server.address + "/readyz").status == 200


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([message for message in MESSAGES.values() if isinstance(message, bytes)]), st.data())
def test_messages_with_some_bytes_changed_harm_nobody(
    warm_server: Serving, message: bytes, data: st.DataObject
) -> None:
    changed = bytearray(message[:2000] or b"\x00")
    for _ in range(data.draw(st.integers(1, 8))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    tried(warm_server.address.replace("http", "ws") + "/_stcore/stream", bytes(changed))
    assert fetch(warm_server.address + "/readyz").status == 200


# Links. One opening carries several kinds; the noise is the value that must be kept.

BROKEN = "kr_n=%00&kr_seed=%zz&kr_kernel=%&kr_linear=%ff%fe&kr_tab=<script>alert(1)</script>&kr_query=%E2%82"
LINKS = {
    "broken percent signs, a NUL, half of a character and a script": BROKEN,
    "the same twice": "kr_n=9&kr_n=NaN&kr_seed=3&kr_seed=inf&kr_kernel=x&kr_kernel=<b>y</b>",
    "100 kB": f"kr_n={'9' * 100_000}",
    "hundreds of parameters": "&".join(f"p{number}=1" for number in range(900)),
}


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_a_broken_link_opens_and_says_what_it_ignored(open_page: Callable[..., Page], link: str) -> None:
    page = open_page(f"{LAB}?kr_noise=1.25&{link}")
    expect(page.get_by_role("alert").filter(has_text=IGNORED)).to_be_visible()
    expect(page.locator(".st-key-kr_noise [data-testid=stSliderThumbValue]")).to_have_text("1.25")
    expect(page.locator(".st-key-kr_n [data-testid=stSliderThumbValue]")).to_have_text("50")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_role("alert").locator("script, b, img, a")).to_have_count(0)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("/no-such-page?kr_n=NaN", "Page not found"),
        ("/<img src=x onerror=alert(1)>", "There is no such page"),
        ("/kernel_regression/x/y", "There is no such page"),
        ("/%zz", "There is no such page"),
        (f"/qkv?{'&'.join(f'p{number}=1' for number in range(5000))}", "This link is too long"),
    ],
    ids=["unknown", "an image", "below a page", "broken", "thousands of parameters"],
)
def test_an_address_of_no_page_says_so_and_leads_on(browser: Browser, server: str, address: str, says: str) -> None:
    page = browser.new_page()  # not the page fixture: the browser calls these errors
    page.goto(server + address)
    expect(page.get_by_text(says)).to_be_visible()
    page.close()
    assert fetch(server + "/readyz").status == 200


# Files.

NAMES = {
    "../../etc/passwd.csv": "../../etc/passwd.csv",
    "<img src=x onerror=alert(1)>.csv": "<img src=x onerror=alert(1)>.csv",
    "$x$ **b** [a](http:b).csv": "$x$ **b** [a](http:b).csv",
    "\u202etxt\u2066.csv": "txt .csv",
    "n" * 200 + ".csv": "n" * 37 + "...",
}
SAYS = "([said, joiner]) => document.body.innerText.replaceAll(joiner, '').includes(said)"


def test_a_hostile_name_is_shown_as_it_is_written(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{LAB}?kr_function=own&kr_kernel=tricube")
    sidebar = page.get_by_test_id("stSidebar")
    foreign = sidebar.locator("img, script, .katex, a")
    ours = foreign.count()  # pictures and a formula of the kernel
    for name, shown in NAMES.items():
        file = {"name": name, "mimeType": "text/csv", "buffer": b"x,y\n1,10\n2,20\n3,30\n"}
        page.locator("input[type=file]").set_input_files(file)
        page.wait_for_function(SAYS, arg=[f"In use: 3 points, '{shown}'.", "\N{WORD JOINER}"])
        expect(foreign).to_have_count(ours)
    page.locator("input[type=file]").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": b"\x00\xff"})
    expect(sidebar.get_by_role("alert")).to_be_visible()
    expect(sidebar.get_by_text("Still in use: 3 points")).to_be_visible()
    expect(page.locator(".st-key-kr_kernel [aria-checked=true] img")).to_have_attribute("alt", "Tricube")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    paste_too_much(page)


def paste_too_much(page: Page) -> None:
    """A field that is given more text than a message may hold says so, and takes what is shorter."""
    page.get_by_role("tab", name="Paste").click()
    field = page.locator(".st-key-kr_pasted textarea")
    long, short = "1 2\n" * 250_000, "1 2\n3 4\n5 7\n6 8"
    for give in (typed, pasted):
        give(field, long)
        said: str = field.evaluate("field => field.validationMessage")
        assert "1,000,000 bytes" in said, f"{give.__name__}: refuseLongText in attention_ui/pictures/js/streamlit.js"
        expect(field).to_have_value("")
        give(field, short)
        expect(field).to_have_value(short)
        assert field.evaluate("field => field.validationMessage") == ""
        field.fill("")
    dropped(field, long)  # beside a place for files, Streamlit takes no text that is dropped
    expect(field).to_have_value("")
    pasted(field, short)
    field.press("Control+Enter")
    expect(page.get_by_text("In use: 4 points, pasted.")).to_be_visible()


def typed(field: Locator, text: str) -> None:
    field.focus()
    field.page.keyboard.insert_text(text)


def pasted(field: Locator, text: str) -> None:
    """The text from the clipboard, by its keys."""
    field.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    field.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    field.focus()
    field.page.keyboard.press("Control+V")


def dropped(field: Locator, text: str) -> None:
    """Text that a hand has dragged from another program into the middle of the field."""
    field.scroll_into_view_if_needed()
    area = field.bounding_box()
    assert area
    middle = {"x": area["x"] + area["width"] / 2, "y": area["y"] + area["height"] / 2}
    carried = {"items": [{"mimeType": "text/plain", "data": text}], "dragOperationsMask": 1}
    session = field.page.context.new_cdp_session(field.page)
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, **middle, "data": carried})
    session.detach()


# Reload while training.

TRAININGS = {
    "bahdanau": ("/bahdanau?bahdanau_tab=train&bahdanau_steps=600", "bahdanau_train"),
    "transformer": ("/transformer?transformer_tab=training&transformer_steps=1000", "transformer_train"),
}


@pytest.mark.parametrize(("link", "button"), TRAININGS.values(), ids=TRAININGS)
def test_a_reload_while_training_gives_a_clean_page(open_page: Callable[..., Page], link: str, button: str) -> None:
    page = open_page(link)
    page.locator(f".st-key-{button} button").first.click()
    expect(page.get_by_role("progressbar").first).to_be_visible()
    page.reload()
    page.wait_for_selector(SETTLED)
    expect(page.locator(f".st-key-{button} button").first).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_long_training_waits_for_a_press_after_a_reload_too_and_can_be_stopped(page: Page, server: str) -> None:
    page.goto(server + "/learned_w?lw_n=50000&lw_epochs=500&lw_rate=1e-06&lw_tab=runs")
    for again in (False, True):
        if again:
            page.reload()
        expect(page.get_by_text("The link asks for 500 epochs")).to_be_visible()
        page.locator(".st-key-lw_go_on button").first.click()
        expect(page.get_by_role("progressbar").first).to_be_visible()
    page.locator(".st-key-lw_stop button").first.click()
    expect(page.get_by_text(re.compile(r"Stopped after epoch \d+ of 500"))).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
