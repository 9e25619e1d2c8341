"""The server as visitors meet it."""

import http.client
import re
import sys
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.browser.serving import Serving, fetch, free_port, serving

GALLERY = """
import sys, uvicorn, streamlit
from attention_ui.server.security import Secured
uvicorn.run(Secured(streamlit.App("tests/browser/gallery.py")), host="127.0.0.1", port=int(sys.argv[1]))
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
    assert (answer.status, answer.body) == (200, b'{"warm":true}')


def test_pages_scripts_and_unknown_paths_carry_the_headers(server: str) -> None:
    script = re.search(r'src="\.(/static/js/[^"]+)"', fetch(server).body.decode())
    assert script is not None
    for path in ("/", script[1], "/readyz", "/no/such/page", "/static/js/no-such.js", "/..%2f..%2fapp.py"):
        headers = fetch(server + path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["referrer-policy"] == "no-referrer", path


def test_a_browser_gets_every_script_compressed_and_guarded(browser: Browser, server: str) -> None:
    page, answers = browser.new_page(), list[Response]()  # not the page fixture, which has the scripts already
    page.on("response", lambda answer: answers.append(answer))
    page.goto(f"{server}/kernel_regression")
    expect(page.locator("h1")).to_be_visible()
    page.close()
    scripts = [answer for answer in answers if urlsplit(answer.url).path.startswith("/static/js/")]
    assert scripts
    for script in scripts:
        assert script.headers.get("content-encoding") == "gzip", script.url
        assert "frame-ancestors 'none'" in script.headers["content-security-policy"]


def test_websockets_are_for_our_own_pages(warm_server: Serving) -> None:
    address = warm_server.address
    assert websocket_status(address, origin=address) == 101
    assert websocket_status(address, origin="http://evil.example") == 403
    assert "external IP" not in warm_server.printed.read_text(), "Streamlit asked an outside host"


def test_the_first_page_opens(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.fixture(scope="module")
def gallery() -> Iterator[str]:
    """A server with the same headers over a page that shows every kind of element."""
    port = free_port()
    with serving([sys.executable, "-c", GALLERY, str(port)], port, ready="/_stcore/health") as started:
        yield started.address


def test_the_policy_lets_every_kind_of_element_work(open_page: Callable[..., Page], gallery: str) -> None:
    page = open_page("/", gallery)
    expect(page.get_by_text("component at 3")).to_be_visible()
    for element in (".js-plotly-plot svg", "[data-testid=stDataFrame] canvas", ".katex", "[data-testid=stCode]"):
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
