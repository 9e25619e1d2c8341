"""A real server and a real Chromium, shared by the browser tests."""

import os
import sys
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    expect,
    sync_playwright,
)

from attention_ui.server.launch import LONGEST_REQUEST
from tests.browser import chromium, nginx
from tests.browser.serving import Serving, free_port, serving

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
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
def warm_server() -> Iterator[Serving]:
    """The app under uvicorn, warmed up."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "server:app", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--h11-max-incomplete-event-size", str(LONGEST_REQUEST)]
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
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium for tests that need a screen of their own: a phone's, a dense one, or one that knows nothing."""
    started = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
    yield started
    started.close()


@pytest.fixture(scope="session")
def pocket(browser: Browser) -> Iterator[BrowserContext]:
    """A phone's screen, which fetches Streamlit's files once for all tests on it."""
    with browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as made:
        yield made


@pytest.fixture
def phone(pocket: BrowserContext) -> Iterator[Page]:
    """A fresh tab on a phone."""
    tab = pocket.new_page()
    yield tab
    tab.close()


@pytest.fixture(scope="session")
def context(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A light 1440x900 screen for all other tests, with a profile: Streamlit's files are fetched and compiled once."""
    made = playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=chromium.find(),
        args=FLAGS,
        viewport={"width": 1440, "height": 900},
        color_scheme="light",
    )
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A fresh tab; whatever the browser complains about fails the test."""
    tab, complaints = context.new_page(), []
    tab.on("console", lambda message: complaints.extend(_complaint(message)))
    tab.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
    tab.on("request", lambda request: complaints.extend(_foreign(request)))
    yield tab
    tab.close()
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
def elsewhere(context: BrowserContext) -> Iterator[Callable[[str], Page]]:
    """A function by which somebody else opens a link and shares nothing else: every tab has a session of its own."""
    tabs: list[Page] = []

    def visit(link: str) -> Page:
        tabs.append(context.new_page())  # now, not before: a tab behind another one is drawn once a second
        tabs[-1].goto(link)
        tabs[-1].wait_for_selector(SETTLED)
        tabs[-1].wait_for_function(HAS_TEXT)
        return tabs[-1]

    yield visit
    for tab in tabs:
        tab.close()


def _complaint(message: ConsoleMessage) -> list[str]:
    harmless = "404" in message.text and message.location["url"].endswith(HARMLESS_404)
    if message.type != "error" or harmless:
        return []
    return [f"console: {message.text} ({message.location['url']})"]


def _foreign(request: Request) -> list[str]:
    parts = urlsplit(request.url)
    at_home = parts.scheme in {"data", "blob"} or parts.hostname in {"127.0.0.1", "localhost"}
    return [] if at_home else [f"request to another host: {request.url}"]
