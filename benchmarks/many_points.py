"""Many points in a real Chromium: an upload until its picture can be used, a drag, and how soon Stop ends what runs."""

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from playwright.sync_api import Page, sync_playwright

from attention_core.data import generate
from benchmarks.browser import LAB, WATCH, drag, opened
from tests.browser import chromium
from tests.browser.conftest import FLAGS, SETTLED
from tests.browser.gestures import messages
from tests.browser.serving import free_port, serving

UPLOADED, DRAGGED = 50_000, 100_000  # points
PAGE = "/kernel_regression"
# By their tabs: the seconds after which Stop is pressed, on few points, on more, on many.
RUNS = {
    "More data": ("more_data", "kr_more", (1.0, 4.0, 12.0)),
    "How the time grows": ("time", "kr_time", (0.1, 0.4, 0.8)),
}


def rows() -> Iterator[dict[str, Any]]:
    """The three of them, each with what the slowest may take."""
    port = free_port()
    command = [sys.executable, "-m", "attention_ui.server.launch", "--port", str(port)]
    with serving(command, port, ready="/readyz") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        yield upload(opened(browser, f"{server.address}{PAGE}?kr_function=own"))
        yield large_drag(opened(browser, f"{server.address}{PAGE}?kr_n={DRAGGED}"))
        for tab, (name, key, later) in RUNS.items():
            yield stops(opened(browser, f"{server.address}{PAGE}?kr_tab={name}"), tab, key, later)
        browser.close()


def upload(page: Page) -> dict[str, Any]:
    """From giving a file to a picture of it that the page has come to rest with."""
    columns = (column.tolist() for column in generate(n=UPLOADED))
    lines = "".join(f"{x:.6f},{y:.6f}\n" for x, y in zip(*columns, strict=True))
    file = {"name": "a.csv", "mimeType": "text/csv", "buffer": f"x,y\n{lines}".encode()}
    begun = time.monotonic()
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text(f"500 of {UPLOADED:,} are drawn").wait_for()
    page.wait_for_selector(SETTLED)
    seconds = time.monotonic() - begun
    return {"size": f"upload of {UPLOADED:,} rows", "seconds": {"lab": seconds}, "against": "lab", "at most": 2.0}


def large_drag(page: Page) -> dict[str, Any]:
    """Repaints a second of a drag, and the messages that it sends."""
    page.get_by_text(f"500 of {DRAGGED:,} are drawn").wait_for()
    page.locator(".st-key-kr_stage .picture").evaluate(WATCH)
    drag(page, LAB[0])  # the first drag compiles the browser's side
    page.wait_for_selector(SETTLED)
    page.evaluate("window.draws.length = 0")
    heard = messages(page)
    page.wait_for_timeout(500)
    before = len(heard)
    seconds = drag(page, LAB[0], lambda: heard.append("released"))
    drawn, sent = len(page.evaluate("window.draws")), heard.index("released") - before
    named = {"size": f"drag, {DRAGGED:,} points", "seconds": {"lab": seconds}, "against": "lab"}
    return named | {"repaints/s": drawn / seconds, "messages": sent, "at least": 55}


def stops(page: Page, tab: str, key: str, after: Sequence[float]) -> dict[str, Any]:
    """The longest time from a press of Stop until the page rests."""
    longest = 0.0
    for later in after:
        page.locator(f".st-key-{key}_run button").click()
        page.locator(f".st-key-{key}_stop").wait_for()
        page.wait_for_timeout(1000 * later)
        begun = time.monotonic()
        page.locator(f".st-key-{key}_stop button").click()
        page.locator(f".st-key-{key}_stop").wait_for(state="detached")
        longest = max(longest, time.monotonic() - begun)
        page.wait_for_selector(SETTLED)
    return {"size": f"Stop in {tab}", "seconds": {"lab": longest}, "against": "lab", "at most": 0.5}
