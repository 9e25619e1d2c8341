"""Bad input as it comes over the wire: broken addresses, damaged messages, hostile file names, a reload in between."""

import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

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


@pytest.mark.parametrize("message", ["text", b"\xff" * 100, b"\x00" * 100, b"\x0a" * 2_000_000], ids=range(4))
def test_a_damaged_message_ends_its_own_connection_alone(warm_server: Serving, message: str | bytes) -> None:
    address = warm_server.address.replace("http", "ws") + "/_stcore/stream"
    with connect(address) as bystander:
        with connect(address) as hostile:
            hostile.send(message)
            with pytest.raises(ConnectionClosed):
                hostile.recv(timeout=10)
        bystander.ping().wait(10)
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
    field.focus()
    page.keyboard.insert_text("1 2\n" * 250_000)
    said: str = field.evaluate("field => field.validationMessage")
    assert "1,000,000 bytes" in said
    expect(field).to_have_value("")
    page.keyboard.insert_text("1 2\n3 4\n5 7\n6 8")
    assert field.evaluate("field => field.validationMessage") == ""
    field.press("Control+Enter")
    expect(page.get_by_text("In use: 4 points, pasted.")).to_be_visible()


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


def test_a_long_training_begins_again_after_a_reload_and_can_be_stopped(page: Page, server: str) -> None:
    page.goto(server + "/learned_w?lw_n=5000&lw_epochs=500&lw_rate=1e-06&lw_tab=runs")
    expect(page.get_by_role("progressbar").first).to_be_visible()
    page.reload()
    page.locator(".st-key-lw_stop button").first.click()
    expect(page.get_by_text(re.compile(r"Stopped after epoch \d+ of 500"))).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
