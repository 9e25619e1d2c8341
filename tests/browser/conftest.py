"""A real server and a real Chromium, shared by the browser tests."""

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.browser import chromium, nginx
from tests.browser.gestures import hang_up
from tests.browser.serving import Serving, free_port, serving

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # In place of Playwright's list: with its first entry a document would not find the scripts that an earlier one had
    # compiled, and compile them all again.
    "--disable-features=BackgroundResourceFetch,PaintHolding,MediaRouter,OptimizationHints,HttpsUpgrades",
]
SCREEN: ViewportSize = {"width": 1440, "height": 900}
POCKET: ViewportSize = {"width": 390, "height": 844}
# Streamlit and the large slider move while a page is drawn, which costs as much as the page: a test of what moves asks
# for it by emulate_media(reduced_motion="no-preference").
CALM: Any = {"color_scheme": "light", "reduced_motion": "reduce", "forced_colors": "none"}
Lent = Callable[[BrowserContext, ViewportSize], Page]
# Opened at a deep link, Streamlit looks for its server below the page's own path first.
HARMLESS_404 = ("/_stcore/health", "/_stcore/host-config")
SETTLED = "[data-testid=stApp][data-test-script-state=notRunning]"
HAS_TEXT = "() => document.querySelector('[data-testid=stMainBlockContainer]')?.innerText.trim()"

expect.set_options(timeout=30_000)  # ms, as every other wait: a busy machine draws late, but it draws


def needs_browser(item: pytest.Item) -> bool:
    """Whether a test drives the browser, by itself or through a fixture."""
    return "playwright" in getattr(item, "fixturenames", ())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a Chromium, skip what needs one."""
    # Last, whatever the order asked for: while Playwright runs, no other test can use asyncio.
    items.sort(key=needs_browser)
    in_need = [item for item in items if needs_browser(item)]
    if in_need and not chromium.find():
        for item in in_need:
            item.add_marker(pytest.mark.skip(reason=chromium.HOW_TO_GET_ONE))


def not_tested(config: pytest.Config) -> list[str]:
    """What was missing, from the tests skipped so far; nothing in a worker, which has no reporter."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    reasons = [str(report.longrepr) for report in reporter.stats.get("skipped", [])] if reporter else []
    missing = (chromium.HOW_TO_GET_ONE, nginx.HOW_TO_GET_ONE)
    return [words for words in missing if any(words in reason for reason in reasons)]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With CI=true, fail where the pages were not tested, lest nobody notice."""
    if os.environ.get("CI") == "true" and chromium.HOW_TO_GET_ONE in not_tested(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say once and loudly what was not tested, and how to have it tested."""
    for words in not_tested(config):
        terminalreporter.write_line(words, red=True, bold=True)


@pytest.fixture(scope="session")
def lms() -> str:
    """The address of another site that may show us in a frame; tests/browser/test_server.py plays it.

    Under this name it is another site than 127.0.0.1 to a browser; another port alone would not make it one.
    """
    return f"http://localhost:{free_port()}"


@pytest.fixture(scope="session")
def warm_server(lms: str) -> Iterator[Serving]:
    """The app as `make run` serves it, warmed up."""
    port = free_port()
    embed = f"ATTENTION_LAB_EMBED={lms}"
    command = ["env", embed, sys.executable, "-m", "attention_ui.server.launch", "--port", str(port)]
    with serving(command, port, ready="/readyz") as started:
        yield started


@pytest.fixture(scope="session")
def server(warm_server: Serving) -> str:
    """The address of the app, without a slash at the end."""
    return warm_server.address


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives every browser."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def context(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A light and calm screen, with a profile: Streamlit's files are fetched and compiled once."""
    made = playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"), executable_path=chromium.find(), args=FLAGS, viewport=SCREEN, **CALM
    )
    made.grant_permissions(["clipboard-write"])  # as every browser with a window does; the headless shell asks nobody
    yield made
    made.close()


@pytest.fixture(scope="session")
def browser(context: BrowserContext) -> Browser:
    """The Chromium itself, for tests that need a screen of their own: a dense one, or one that knows nothing."""
    assert context.browser is not None
    return context.browser


@pytest.fixture(scope="session")
def pocket(browser: Browser) -> Iterator[BrowserContext]:
    """A phone's screen, which fetches Streamlit's files once for all tests on it."""
    with browser.new_context(viewport=POCKET, has_touch=True, is_mobile=True, **CALM) as made:
        yield made


@pytest.fixture(scope="session")
def tabs() -> dict[BrowserContext, Page]:
    """The tab of each screen that one test after another uses: a page opens there in half the time of a new one."""
    return {}


@pytest.fixture
def lent(tabs: dict[BrowserContext, Page], server: str, request: pytest.FixtureRequest) -> Iterator[Lent]:
    """A function that gives the tab of a screen as a new one would be; what a failed test leaves is not used again."""
    failed, given = request.session.testsfailed, list[Page]()

    def tab_of(screen: BrowserContext, size: ViewportSize) -> Page:
        if screen not in tabs or tabs[screen].is_closed():
            tabs[screen] = screen.new_page()
        given.append(tabs[screen])
        given[-1].bring_to_front()
        given[-1].set_viewport_size(size)
        given[-1].emulate_media(**CALM)
        return given[-1]

    yield tab_of
    hang_up()
    for tab in given:
        if request.session.testsfailed > failed:
            tab.close()
        elif not tab.is_closed():
            leave(tab, server)


def leave(tab: Page, server: str) -> None:
    """End a visit: the next page that the tab opens knows nothing of the last."""
    tab.mouse.up()
    tab.mouse.move(0, 0)
    tab.goto(f"{server}/readyz")  # of the same origin and policy, or the next page would take a new process
    tab.evaluate("() => sessionStorage.clear()")


@pytest.fixture
def phone(lent: Lent, pocket: BrowserContext) -> Page:
    """A tab on a phone."""
    return lent(pocket, POCKET)


@pytest.fixture
def page(lent: Lent, context: BrowserContext) -> Iterator[Page]:
    """A tab; whatever the browser complains about fails the test."""
    tab, complaints = lent(context, SCREEN), list[str]()
    hears: dict[Any, Callable[[Any], None]] = {
        "console": lambda message: complaints.extend(_complaint(message)),
        "pageerror": lambda error: complaints.append(f"page error: {error}"),
        "request": lambda request: complaints.extend(_foreign(request)),
    }
    for event, heard in hears.items():
        tab.on(event, heard)
    yield tab
    for event, heard in hears.items():
        tab.remove_listener(event, heard)
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def open_page(page: Page, warm_server: Serving, server: str) -> Iterator[Callable[..., Page]]:
    """A function that opens a path of the app and waits until it is drawn; what raises unseen fails the test, too."""
    before = warm_server.printed.stat().st_size

    def open_path(path: str = "/", address: str = server) -> Page:
        page.goto(address + path)
        page.wait_for_selector(SETTLED)
        page.wait_for_function(HAS_TEXT)
        return page

    yield open_path
    printed = warm_server.printed.read_bytes()[before:].decode(errors="replace")
    assert "Uncaught app execution" not in printed, printed[-5000:]


@pytest.fixture
def elsewhere(page: Page, server: str) -> Callable[[str], Page]:
    """A function by which somebody else opens a link and shares nothing else: each loading of a page has a session."""

    def visit(link: str) -> Page:
        leave(page, server)
        page.goto(link)
        page.wait_for_selector(SETTLED)
        page.wait_for_function(HAS_TEXT)
        return page

    return visit


def _complaint(message: ConsoleMessage) -> list[str]:
    harmless = "404" in message.text and message.location["url"].endswith(HARMLESS_404)
    if message.type != "error" or harmless:
        return []
    return [f"console: {message.text} ({message.location['url']})"]


def _foreign(request: Request) -> list[str]:
    parts = urlsplit(request.url)
    at_home = parts.scheme in {"data", "blob"} or parts.hostname in {"127.0.0.1", "localhost"}
    return [] if at_home else [f"request to another host: {request.url}"]
