"""The server as visitors meet it."""

import http.client
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, Response, expect

from tests.browser.serving import Serving, fetch, free_port, serving

GALLERY = """
import sys, uvicorn, streamlit
from attention_ui.server.logs import tell_error
from attention_ui.server.security import Secured
app = streamlit.App("tests/browser/gallery.py", on_script_error=tell_error)
uvicorn.run(Secured(app), host="127.0.0.1", port=int(sys.argv[1]))
"""


def websocket_status(address: str, origin: str) -> int:
    """How the server answers a websocket handshake that a page of this origin begins."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10)
    handshake = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Origin": origin,
    }
    try:
        connection.request("GET", "/_stcore/stream", headers=handshake)
        return connection.getresponse().status
    finally:
        connection.close()


def test_it_becomes_warm(server: str) -> None:
    answer = fetch(server + "/readyz")
    assert answer.status == 200
    assert json.loads(answer.body)["warm"] is True


def test_pages_scripts_and_unknown_paths_carry_the_headers(server: str, lms: str) -> None:
    script = re.search(r'src="\.(/static/js/[^"]+)"', fetch(server).body.decode())
    assert script is not None
    for path in ("/", script[1], "/readyz", "/no/such/page", "/static/js/no-such.js", "/..%2f..%2fapp.py"):
        headers = fetch(server + path).headers
        assert f"frame-ancestors {lms}" in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["referrer-policy"] == "no-referrer", path


def test_a_browser_gets_every_script_compressed_and_guarded(browser: Browser, server: str, lms: str) -> None:
    page, answers = browser.new_page(), list[Response]()  # not the page fixture, which has the scripts already
    page.on("response", lambda answer: answers.append(answer))
    page.goto(f"{server}/kernel_regression")
    expect(page.locator("h1")).to_be_visible()
    page.close()
    scripts = [answer for answer in answers if urlsplit(answer.url).path.startswith("/static/js/")]
    assert scripts
    for script in scripts:
        assert script.headers.get("content-encoding") == "gzip", script.url
        assert f"frame-ancestors {lms}" in script.headers["content-security-policy"]


class Site(BaseHTTPRequestHandler):
    """A site that shows a page of ours, named in its query, in a frame."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(f"<iframe src='{urlsplit(self.path).query}' width=1200 height=800></iframe>".encode())

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def site(port: int) -> Iterator[str]:
    """Such a site at this port, until the block is left."""
    with ThreadingHTTPServer(("127.0.0.1", port), Site) as started:
        threading.Thread(target=started.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{port}"
        started.shutdown()


def test_a_site_that_is_named_may_show_us_in_a_frame_and_no_other(browser: Browser, server: str, lms: str) -> None:
    page = browser.new_page()
    with site(urlsplit(lms).port or 0), site(free_port()) as other:
        page.goto(f"{other}/?{server}/cues")
        page.wait_for_function("() => frames.length === 1")
        page.wait_for_timeout(500)
        assert "chrome-error" in page.frames[1].url
        page.goto(f"{lms}/?{server}/kernel_regression?kr_function=own")
        frame = page.frame_locator("iframe")
        expect(frame.get_by_role("heading", level=1)).to_be_visible()
        use(frame)  # and it works there
        with page.expect_response(re.compile("/_stcore/upload_file/")) as upload:
            frame.locator("input[type=file]").set_input_files(
                {"name": "a.csv", "mimeType": "text/csv", "buffer": b"x,y"}
            )
        assert upload.value.status == 403, "the README says so: without TLS no cookie of ours comes along"
        page.close()


def use(frame: FrameLocator) -> None:
    """Move the slider of the lab in a frame."""
    width = frame.locator(".st-key-kr_width [data-testid=stSliderThumbValue]")
    expect(width).to_be_visible()
    before = width.inner_text()
    frame.locator(".st-key-kr_width input[type=range]").press("ArrowRight")
    expect(width).not_to_have_text(before)


def test_websockets_are_for_our_own_pages(warm_server: Serving) -> None:
    address = warm_server.address
    assert websocket_status(address, origin=address) == 101
    assert websocket_status(address, origin="http://evil.example") == 403
    assert "external IP" not in warm_server.printed.read_text(), "Streamlit asked an outside host"


def test_the_first_page_opens(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.fixture(scope="module")
def gallery() -> Iterator[Serving]:
    """A server with the same headers over a page that shows every kind of element."""
    port = free_port()
    with serving([sys.executable, "-c", GALLERY, str(port)], port, ready="/_stcore/health") as started:
        yield started


def test_the_policy_lets_every_kind_of_element_work(open_page: Callable[..., Page], gallery: Serving) -> None:
    page = open_page("/", gallery.address)
    expect(page.get_by_text("component at 3")).to_be_visible()
    for element in ("[data-testid=stDataFrame] canvas", ".katex", "[data-testid=stCode]"):
        expect(page.locator(element).first).to_be_visible()
    expect(page.locator("[data-testid=stVegaLiteChart] :is(canvas, svg)").first).to_be_visible()

    page.get_by_role("slider").first.press("ArrowRight")
    expect(page.get_by_text("component at 4")).to_be_visible()
    page.locator("input[type=file]").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": b"x,y"})
    expect(page.get_by_text("3 bytes read")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").last.click()
    assert download.value.path().read_text() == "x,y"
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("copied", exact=True)).to_be_visible()

    page.get_by_role("button", name="Fail").click()
    shown = page.get_by_role("alert").inner_text()
    name = re.search(r"error ([0-9a-f]{6})", shown)
    assert name is not None, shown
    assert "for the log alone" not in page.locator("body").inner_text()
    (line,) = [line for line in gallery.printed.read_text().splitlines() if f'"id": "{name[1]}"' in line]
    assert "ValueError: for the log alone" in json.loads(line)["traceback"]


def test_streamlit_run_serves_the_app_as_well(open_page: Callable[..., Page]) -> None:
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with serving(command, port, ready="/_stcore/health") as started:
        page = open_page("/", started.address)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        page.close()  # before its server goes, which it would rightly complain about
        printed = started.printed.read_text()
    assert "External URL" not in printed, "it asked an outside host for our address"
    assert "Uncaught app execution" not in printed, printed
