"""A full class: whoever comes too late reads so, whenever it became full, and is let in without doing anything."""

import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import HAS_TEXT, SETTLED
from tests.browser.serving import Serving, free_port, serving

FULL = "The class is full"


@pytest.fixture(scope="module")
def small() -> Iterator[Serving]:
    """A server with room for one page."""
    port = free_port()
    command = ["env", "ATTENTION_LAB_SESSIONS_PER_ADDRESS=1", sys.executable, "-m", "attention_ui.server.launch"]
    with serving([*command, "--port", str(port)], port, ready="/readyz") as started:
        yield started


def is_drawn(page: Page) -> None:
    page.wait_for_selector(SETTLED)
    page.wait_for_function(HAS_TEXT)
    expect(page.get_by_text(FULL)).to_have_count(0)


def test_a_page_that_comes_too_late_says_so_and_comes_in_when_there_is_room(browser: Browser, small: Serving) -> None:
    first, second = browser.new_page(), browser.new_page()
    first.goto(small.address + "/qkv")
    is_drawn(first)
    second.goto(small.address + "/cues")
    expect(second.get_by_role("heading", name=FULL)).to_be_visible()
    first.close()
    is_drawn(second)
    second.close()


def test_a_page_that_was_loaded_just_before_says_so_too(browser: Browser, small: Serving) -> None:
    first, second = browser.new_page(), browser.new_page()
    second.route("**/_stcore/host-config", lambda route: None)  # held, until the route is given up
    second.goto(small.address + "/cues")
    second.wait_for_function("() => performance.getEntriesByType('resource').length > 3")
    first.goto(small.address + "/qkv")
    is_drawn(first)
    second.unroute("**/_stcore/host-config")
    expect(second.get_by_text(FULL).first).to_be_visible()
    first.close()
    is_drawn(second)
    second.close()
