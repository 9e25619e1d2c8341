"""Pages opened in a browser that has seen nothing yet: how long until each has settled, next to one without charts."""

import statistics
import sys
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import FLAGS
from tests.browser.serving import free_port, serving

PLAIN, PAGES = "/scoring", ("/batches", "/exercises", "/kernel_regression")
TIMES = 7

# Milliseconds since the page was asked for, once its script has run, nothing stands in for what is to come, and every
# component of ours that is shown has something in it, for three pictures in a row. Those that
# carry messages to a picture are not shown, and stay empty.
SETTLED_AT = """async () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const settled = () =>
    document.querySelector("[data-testid=stApp][data-test-script-state=notRunning]") &&
    document.querySelector("h1") && !all("[data-testid=stSkeleton]").length &&
    all("[data-testid=stBidiComponentIsolated]").filter((each) => each.checkVisibility())
      .every((each) => each.shadowRoot?.querySelector("[data-place] > *"));
  let since = null;
  for (let calm = 0; calm < 3;) {
    await new Promise(requestAnimationFrame);
    calm = settled() ? calm + 1 : 0;
    since = calm ? since ?? performance.now() : null;
  }
  return since;
}"""


def rows() -> Iterator[dict[str, Any]]:
    """Open each page in a new browser, in turn with the plain one, and take the medians."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "server:app", "--host", "127.0.0.1", "--port", str(port)]
    with serving(command, port, ready="/readyz") as lab, sync_playwright() as playwright:
        times: dict[str, list[float]] = {path: [] for path in (PLAIN, *PAGES)}
        for _ in range(TIMES):
            for path in times:
                browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
                times[path].append(opened(browser, lab.address + path))
                browser.close()
    plain = statistics.median(times.pop(PLAIN))
    for path, each in times.items():
        seconds = {path: statistics.median(each) / 1e3, PLAIN: plain / 1e3}
        yield {"size": f"cold browser to a settled {path}", "seconds": seconds, "against": PLAIN}


def opened(browser: Browser, address: str) -> float:
    """Milliseconds from the request to the settled page."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(address)
    return float(page.evaluate(SETTLED_AT))
