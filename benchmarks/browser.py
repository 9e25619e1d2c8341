"""The stage in a real Chromium: repaints during a drag, and what a rerun costs next to a bare slider page."""

import math
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import FLAGS, SETTLED
from tests.browser.serving import free_port, serving

BARE = """
import sys, uvicorn, streamlit
from attention_ui.security import Secured
from attention_ui.warm import warm_up
import threading
warm_up(threading.Event())
uvicorn.run(Secured(streamlit.App("benchmarks/bare_page.py")), host="127.0.0.1", port=int(sys.argv[1]))
"""
MOVES, PRESSES = 240, 40

# From an arrow key to the frame in which the number that depends on it has changed.
REPAINT = """async (number) => {
  const shown = () => document.querySelector(number)?.textContent;
  const before = shown();
  const pressed = await new Promise(resolve =>
    addEventListener("keydown", () => resolve(performance.now()), { once: true, capture: true }));
  for (let frames = 0; shown() === before && frames < 300; frames++) await new Promise(requestAnimationFrame);
  return performance.now() - pressed;
}"""
LAB = ("kr_width", "[data-testid=stMarkdownContainer] tbody tr:last-child td:last-child")
BARE_PAGE = ("bare_width", "[data-testid=stMarkdownContainer] code")


def rows() -> Iterator[dict[str, Any]]:
    """Drag the lab's slider, then press arrow keys on the lab and on a bare page in turn."""
    path = chromium.find()
    lab_port, bare_port = free_port(), free_port()
    lab_command = [sys.executable, "-m", "uvicorn", "server:app", "--host", "127.0.0.1", "--port", str(lab_port)]
    bare_command = [sys.executable, "-c", BARE, str(bare_port)]
    with (
        serving(lab_command, lab_port, ready="/readyz") as lab,
        serving(bare_command, bare_port, ready="/_stcore/health") as bare,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        lab_page = opened(browser, lab.address + "/kernel_regression")
        yield drag(lab_page)
        yield reruns(lab_page, opened(browser, bare.address))
        browser.close()


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address)
    page.wait_for_selector(SETTLED)
    page.wait_for_timeout(1500)
    return page


def drag(page: Page) -> dict[str, Any]:
    """Move the slider 240 times and count the repaints."""
    box = page.locator(".st-key-kr_width [data-testid=stSliderThumbValue]").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] + 6
    stage, times = page.locator(".st-key-kr_stage .stage"), []
    page.mouse.move(x, y)
    page.mouse.down()
    before, start = int(stage.get_attribute("data-draws") or 0), time.perf_counter()
    for move in range(MOVES):
        page.mouse.move(x + 300 * math.sin(move / MOVES * 4 * math.pi), y)
        if move % 12 == 0:
            times.append(float(stage.get_attribute("data-milliseconds") or 0))
    seconds = time.perf_counter() - start
    draws = int(stage.get_attribute("data-draws") or 0) - before
    page.mouse.up()
    return {
        "size": f"drag of {MOVES} moves",
        "seconds": {"draw": statistics.median(times) / 1e3},
        "against": "draw",
        "repaints/s": draws / seconds,
        "repaints per move": draws / MOVES,
    }


def reruns(lab: Page, bare: Page) -> dict[str, Any]:
    """Arrow keys on both pages in turn, from key press to the repaint of the number that follows."""
    times: dict[str, list[float]] = {"lab": [], "bare slider page": []}
    for _ in range(PRESSES):
        times["lab"].append(repaint(lab, *LAB))
        times["bare slider page"].append(repaint(bare, *BARE_PAGE))
    return {
        "size": "arrow key to new number",
        "seconds": {name: statistics.median(each) / 1e3 for name, each in times.items()},
        "against": "bare slider page",
    }


def repaint(page: Page, key: str, number: str) -> float:
    """Milliseconds from one arrow key to the new number on the screen."""
    page.locator(f".st-key-{key} input[type=range]").focus()
    page.evaluate(f"number => {{ window.repaint = ({REPAINT})(number); }}", number)
    page.keyboard.press("ArrowRight")
    milliseconds = float(page.evaluate("window.repaint"))
    page.wait_for_timeout(200)
    return milliseconds
