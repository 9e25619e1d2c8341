"""The gate for heavy work, seen by two visitors of a server that lets one through at a time."""

import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import free_port, serving


@pytest.fixture
def narrow() -> Iterator[str]:
    """The address of an app whose gate lets one through."""
    port = free_port()
    command = [sys.executable, "-m", "tests.browser.narrow_gate", "--port", str(port)]
    with serving(command, port, ready="/readyz") as started:
        yield started.address


def test_who_waits_reads_for_how_many_others_and_both_come_through(narrow: str, page: Page) -> None:
    page.goto(f"{narrow}/kernel_regression?kr_tab=time")
    page.get_by_role("button", name="Measure it").click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    page.wait_for_timeout(300)
    other = page.context.new_page()
    other.goto(f"{narrow}/kernel_regression?kr_n=100000&kr_linear=true")
    expect(other.get_by_text("Waiting for 1 other ...").first).to_be_visible()
    expect(other.locator(".st-key-kr_width").first).to_be_visible(timeout=120_000)
    expect(page.locator(".st-key-kr_time_picture").first).to_be_visible(timeout=120_000)
    other.close()
