"""Kill the process behind a page, and wait until its successor has drawn it."""

import json
import os
import signal

from playwright.sync_api import Page

from tests.attention_ui.server.test_workers import alive, until
from tests.browser.conftest import SETTLED
from tests.browser.serving import fetch

CONNECTED = SETTLED + "[data-test-connection-state=CONNECTED]"
SERVED_BY = "() => globalThis.attentionLabServer?.boot"


def boot_of(server: str) -> str:
    name: str = json.loads(fetch(server + "/readyz").body)["boot"]
    return name


def kill(server: str) -> None:
    """Kill the process that answers there, and wait until it is gone; another one takes its place."""
    pid = int(boot_of(server).split("-")[1])
    os.kill(pid, signal.SIGKILL)
    until(lambda: not alive(pid))


def served_by(page: Page, boot: str) -> None:
    """Wait until this process has drawn the page."""
    page.bring_to_front()
    page.wait_for_function(f"boot => ({SERVED_BY})() === boot", arg=boot)
    page.wait_for_selector(CONNECTED)
