"""The stage in a real Chromium: repaints during a drag, and what a rerun costs next to a bare slider page."""

import statistics
import sys
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import FLAGS, SETTLED
from tests.browser.serving import free_port, serving

MOVES, PRESSES = 240, 40

# From an arrow key to the frame in which the number that depends on it has changed.
# A component's own elements stand in a shadow root.
REPAINT = """async ([home, number]) => {
  const roots = () => [...document.querySelectorAll(`${home}, ${home} *`)].map(each => each.shadowRoot ?? each);
  const shown = () => roots().map(root => root.querySelector(number)?.textContent).find(text => text);
  const before = shown();
  const pressed = await new Promise(resolve =>
    addEventListener("keydown", () => resolve(performance.now()), { once: true, capture: true }));
  for (let frames = 0; shown() === before && frames < 300; frames++) await new Promise(requestAnimationFrame);
  return performance.now() - pressed;
}"""
# The whole rerun: from an arrow key until the script has ended and the browser has painted what came of it.
# Now and then React shows the beginning and the end at once; then there is nothing to see, and null comes back.
RERUN = """async () => {
  const app = document.querySelector("[data-testid=stApp]");
  const resting = () => app.getAttribute("data-test-script-state") === "notRunning";
  const pressed = await new Promise(resolve =>
    addEventListener("keydown", () => resolve(performance.now()), { once: true, capture: true }));
  const seen = await new Promise(resolve => {
    let ran = false;
    const watch = () => { ran ||= !resting(); if (ran && resting()) resolve(true); };
    new MutationObserver(watch).observe(app, { attributes: true });
    setTimeout(() => resolve(false), 1000);
  });
  if (!seen) return null;
  await new Promise(requestAnimationFrame);
  await new Promise(resolve => setTimeout(resolve));
  return performance.now() - pressed;
}"""
# The same for the exact weights, which the server works out for the committed width.
EXACT = """async () => {
  const pressed = await new Promise(resolve =>
    addEventListener("keydown", () => resolve(performance.now()), { once: true, capture: true }));
  await new Promise(resolve => addEventListener("attention-lab-update", resolve, { once: true }));
  await new Promise(requestAnimationFrame);
  return performance.now() - pressed;
}"""
LAB = ("kr_width", ".st-key-kr_stage", ".readouts b")
BARE_PAGE = ("bare_width", "[data-testid=stMarkdownContainer]", "code")


def rows() -> Iterator[dict[str, Any]]:
    """Drag the lab's slider, then press arrow keys on the lab and on a bare page in turn."""
    path = chromium.find()
    lab_port, bare_port = free_port(), free_port()
    lab_command = [sys.executable, "-m", "uvicorn", "server:app", "--host", "127.0.0.1", "--port", str(lab_port)]
    bare_command = [sys.executable, "-m", "benchmarks.bare_server", str(bare_port)]
    with (
        serving(lab_command, lab_port, ready="/readyz") as lab,
        serving(bare_command, bare_port, ready="/_stcore/health") as bare,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        lab_page = opened(browser, lab.address + "/kernel_regression")
        bare_page = opened(browser, bare.address)
        yield drags(lab_page, bare_page)
        # Afresh: the drags end where the widest windows make all numbers alike, so that none would be seen to change.
        lab_page, bare_page = opened(browser, lab.address + "/kernel_regression"), opened(browser, bare.address)
        yield presses("arrow key to new number", REPAINT, lab_page, bare_page)
        yield presses("arrow key to the end of the rerun", RERUN, lab_page, bare_page, RERUN)
        yield presses("arrow key to exact weights", EXACT, lab_page, bare_page)
        browser.close()


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address)
    page.wait_for_selector(SETTLED)
    page.wait_for_timeout(1500)
    return page


# Keep every draw's milliseconds; called once, before the drags.
WATCH = """stage => {
  window.draws = [];
  new MutationObserver(() => window.draws.push(+stage.dataset.milliseconds))
    .observe(stage, { attributes: true, attributeFilter: ["data-draws"] });
}"""


def drags(lab: Page, bare: Page) -> dict[str, Any]:
    """Drag both pages' sliders in turn: a bare one shows how fast a browser here takes 240 moves at all."""
    lab.locator(".st-key-kr_stage .picture").evaluate(WATCH)
    drag(lab, LAB[0])  # the first drag compiles the browser's side
    rates, draws = [], []
    seconds: dict[str, list[float]] = {"lab": [], "bare slider page": []}
    for _ in range(5):
        lab.evaluate("window.draws.length = 0")
        seconds["lab"].append(drag(lab, LAB[0]))
        drawn = lab.evaluate("window.draws")
        rates.append(len(drawn) / seconds["lab"][-1])
        draws.append(statistics.median(drawn))
        seconds["bare slider page"].append(drag(bare, BARE_PAGE[0]))
    return {
        "size": f"drag of {MOVES} moves",
        "seconds": {name: statistics.median(each) for name, each in seconds.items()},
        "against": "bare slider page",
        "repaints/s": statistics.median(rates),
        "ms a draw": statistics.median(draws),
    }


def drag(page: Page, key: str, before_release: Callable[[], object] = list) -> float:
    """Move a slider there and back twice; the seconds it took."""
    box = page.locator(f".st-key-{key} [data-testid=stSliderThumbValue]").bounding_box()
    assert box is not None
    page.bring_to_front()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] + 6
    page.mouse.move(x, y)
    page.mouse.down()
    start = page.evaluate("performance.now()")
    for turn in range(4):
        page.mouse.move(x + (250 if turn % 2 == 0 else -250), y, steps=MOVES // 4)
    seconds = (page.evaluate("performance.now()") - start) / 1e3
    before_release()
    page.mouse.up()
    page.wait_for_timeout(500)
    return float(seconds)


def presses(name: str, watch: str, lab: Page, bare: Page, bare_watch: str = REPAINT) -> dict[str, Any]:
    """Arrow keys on both pages in turn, from key press to what is watched for; on the bare page its number, if not."""
    times: dict[str, list[float]] = {"lab": [], "bare slider page": []}
    for turn in range(PRESSES):
        arrow = "ArrowLeft" if turn % 2 else "ArrowRight"  # to and fro, since a slider has an end
        times["lab"] += pressed(lab, arrow, watch, *LAB)
        times["bare slider page"] += pressed(bare, arrow, bare_watch, *BARE_PAGE)
    return {
        "size": name,
        "seconds": {name: statistics.median(each) / 1e3 for name, each in times.items()},
        "seen": min(len(each) for each in times.values()),
        "against": "bare slider page",
    }


def pressed(page: Page, arrow: str, watch: str, key: str, home: str, number: str) -> list[float]:
    """Milliseconds from one arrow key to what is watched for; none where it was not seen."""
    page.bring_to_front()  # a page behind another one is painted at a lower rate
    page.locator(f".st-key-{key} input[type=range]").focus()
    page.evaluate(f"place => {{ window.watched = ({watch})(place); }}", [home, number])
    page.keyboard.press(arrow)
    milliseconds = page.evaluate("window.watched")
    page.wait_for_timeout(200)
    return [] if milliseconds is None else [float(milliseconds)]
