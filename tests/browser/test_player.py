"""The stage's own play bar, and a server's very first visitor."""

import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import free_port, serving

STAGE = ".st-key-pp_stage .picture"
PLAYER = """
import sys, uvicorn, streamlit
from attention_ui.server.security import Secured
uvicorn.run(Secured(streamlit.App("tests/browser/player_page.py")), host="127.0.0.1", port=int(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def player_server() -> Iterator[str]:
    port = free_port()
    with serving([sys.executable, "-c", PLAYER, str(port)], port, ready="/_stcore/health") as started:
        yield started.address


@pytest.fixture
def player(open_page: Callable[..., Page], player_server: str) -> Page:
    page = open_page("/", player_server)
    page.emulate_media(reduced_motion="no-preference")
    expect(page.locator(STAGE)).to_have_attribute("data-frame", "0")
    return page


def test_play_runs_to_the_end_and_tells_where_it_stopped(player: Page) -> None:
    before = player.locator(f"{STAGE} path.prediction").get_attribute("d")
    player.get_by_role("button", name="Play").click()
    expect(player.locator(STAGE)).to_have_attribute("data-frame", "5")
    expect(player.get_by_text("settled at frame 5")).to_be_visible()
    expect(player.locator(f"{STAGE} .player output")).to_have_text("σ 0.1 · w 10")
    expect(player.locator(f"{STAGE} path.prediction")).not_to_have_attribute("d", before or "")


def test_steps_and_rewind(player: Page) -> None:
    player.get_by_role("button", name="One width on").click()
    player.get_by_role("button", name="One width on").click()
    expect(player.get_by_text("settled at frame 2")).to_be_visible()
    player.get_by_role("button", name="One width back").click()
    expect(player.get_by_text("settled at frame 1")).to_be_visible()
    player.get_by_role("button", name="Rewind").click()
    expect(player.get_by_text("settled at frame 0")).to_be_visible()


def test_the_scrubber_and_the_space_key(player: Page) -> None:
    player.locator(f"{STAGE} .player input").press("ArrowRight")
    expect(player.get_by_text("settled at frame 1")).to_be_visible()
    player.locator(f"{STAGE} .cells svg").focus()
    player.keyboard.press(" ")
    expect(player.get_by_text("settled at frame 5")).to_be_visible()


def test_the_first_visitor_of_a_fresh_server_may_come_by_a_deep_link(open_page: Callable[..., Page]) -> None:
    """Until st.navigation has run once, Streamlit would serve the page's file alone, without menu and style."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "server:app", "--host", "127.0.0.1", "--port", str(port)]
    with serving(command, port, ready="/readyz") as started:
        page = open_page("/kernel_regression", started.address)
        expect(page.get_by_role("navigation", name="App pages").get_by_text("Attention Lab")).to_be_visible()
        expect(page.locator(".st-key-kr_stage .picture")).to_be_visible()
        page.close()
