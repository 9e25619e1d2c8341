"""A visitor who leaves while a model trains: the server must not go on for nobody."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.serving import Serving

MOST_AFTERWARDS = 0.5  # seconds of work, however busy the machine: a tick of training is 0.1, each of these takes many
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads CPU time from /proc")


def press(key: str) -> Callable[[Page], None]:
    """A function that presses the button with this key once it is there."""
    return lambda page: page.locator(f".st-key-{key} button").first.click(timeout=30_000)


def family(pid: int) -> list[int]:
    """This process, and all that it and its own have begun; none, where it has gone meanwhile."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()
    except OSError:
        return []
    return [pid, *(each for child in children for each in family(int(child)))]


def cpu_seconds(server: Serving) -> float:
    """How much the server has worked so far, with the processes that serve for it."""
    family_of_it = family(server.process.pid)
    fields = [Path(f"/proc/{each}/stat").read_text("utf-8").rsplit(")", 1)[1].split() for each in family_of_it]
    return sum(int(field[11]) + int(field[12]) for field in fields) / os.sysconf("SC_CLK_TCK")


def spent(server: Serving, seconds: float) -> float:
    """How much the server works in the next seconds."""
    before = cpu_seconds(server)
    time.sleep(seconds)
    return cpu_seconds(server) - before


def wait_until(holds: Callable[[], bool], otherwise: str) -> None:
    """Ask again and again for half a minute."""
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end, otherwise


@needs_proc
@pytest.mark.parametrize(
    ("link", "start"),
    [
        ("/learned_w?lw_n=50000&lw_epochs=500&lw_rate=1e-06&lw_tab=runs", press("lw_go_on")),
        ("/bahdanau?bahdanau_tab=train&bahdanau_steps=600", press("bahdanau_train")),
        ("/transformer?transformer_tab=training&transformer_steps=1000", press("transformer_train")),
    ],
    ids=["learned_w", "bahdanau", "transformer"],
)
def test_training_ends_soon_after_its_tab_is_closed(
    context: BrowserContext, warm_server: Serving, link: str, start: Callable[[Page], None]
) -> None:
    page = context.new_page()
    page.goto(warm_server.address + link)
    start(page)
    expect(page.get_by_role("progressbar").first).to_be_visible(timeout=30_000)
    working = cpu_seconds(warm_server)
    wait_until(lambda: cpu_seconds(warm_server) > working + 0.05, "it must be at work while somebody looks")
    page.close()
    left = cpu_seconds(warm_server)  # not before: closing takes its time, and until then somebody looks
    wait_until(lambda: spent(warm_server, seconds=1) < 0.1, "nobody looks any more")
    assert cpu_seconds(warm_server) - left < MOST_AFTERWARDS, "it went on for nobody"
