"""deploy/ as it is used: two processes behind nginx, a browser that stays with one, and what a dead one does."""

import os
import re
import shutil
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from attention_ui.server import workers
from tests.browser import nginx
from tests.browser.conftest import HAS_TEXT, SETTLED
from tests.browser.restarting import boot_of, kill, served_by
from tests.browser.serving import ROOT, Serving, fetch, free_port, serving

CONFIG = ROOT / "deploy" / "nginx.conf"
# Which process answered whom. A websocket is logged when it closes.
LOG = "log_format who '$visitor\t$upstream_addr\t$uri'; access_log {} who;"
COOKIE = "attention_lab"
SECONDS = 30


class Deployed(NamedTuple):
    """Two processes behind nginx."""

    serving: Serving
    log: Path
    ports: list[int]

    def answered(self, visitor: str) -> dict[str, set[str]]:
        """The paths that each process answered for this visitor."""
        answers: dict[str, set[str]] = {}
        for line in self.log.read_text().splitlines():
            who, tried, path = line.split("\t")
            if who == visitor:
                answers.setdefault(tried.split(", ")[-1], set()).add(path)
        return answers


def until(condition: Callable[[], bool]) -> None:
    """Wait for something outside the browser, but not for ever."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def own_ports(config: str, ports: list[int], log: Path) -> str:
    """The configuration on free ports of this machine alone, with a log."""
    found = re.findall(r"(?:listen |127\.0\.0\.1:)(\d+)", config)
    assert len(found) == len(set(found)) == len(ports), "as many ports as the configuration names"
    for old, new in zip(found, ports, strict=True):
        config = config.replace(old, str(new))
    config = config.replace("listen ", "listen 127.0.0.1:")
    assert "access_log off;" in config
    return config.replace("access_log off;", LOG.format(log))


@pytest.fixture
def deployed(tmp_path: Path) -> Iterator[Deployed]:
    """What deploy/serve.sh starts, until the test is over; not shared, since the test ends a part of it."""
    if nginx.find() is None:
        (pytest.fail if os.environ.get("CI") == "true" and nginx.installable() else pytest.skip)(nginx.HOW_TO_GET_ONE)
    *ports, entrance = (free_port() for _ in range(3))
    config, log = tmp_path / "nginx.conf", tmp_path / "access.log"
    config.write_text(own_ports(CONFIG.read_text(), [*ports, entrance], log))
    shutil.copy(CONFIG.with_name("app.conf"), tmp_path)
    tmp_path.chmod(0o755)
    command = ["env", f"PYTHON={sys.executable}", "sh", "deploy/serve.sh", str(config)]
    with serving(command, entrance, ready="/readyz") as started:
        for port in ports:
            until(lambda port=port: fetch(f"http://127.0.0.1:{port}/readyz").status == 200)
        yield Deployed(started, log, ports)


def open_lab(context: BrowserContext, deployed: Deployed) -> Page:
    page = context.new_page()
    page.goto(f"{deployed.serving.address}/kernel_regression?kr_function=own")
    page.wait_for_selector(SETTLED)
    page.wait_for_function(HAS_TEXT)
    return page


def cookie_of(context: BrowserContext) -> str:
    (value,) = [cookie["value"] for cookie in context.cookies() if cookie["name"] == COOKIE]
    return value


def cookie_for_another(deployed: Deployed, process: str) -> str:
    """A cookie that leads to another process than this one."""
    for number in range(100):
        asked = urllib.request.Request(f"{deployed.serving.address}/readyz", headers={"Cookie": f"{COOKIE}=v{number}"})
        with urllib.request.urlopen(asked, timeout=10) as answer:
            assert answer.headers["Set-Cookie"] is None, "who has a cookie keeps it"
        until(lambda visitor=f"v{number}": bool(deployed.answered(visitor)))
        if process not in deployed.answered(f"v{number}"):
            return f"v{number}"
    raise AssertionError("one process answers all visitors")


def use(page: Page) -> None:
    """Move the slider and upload a file: one goes through the websocket, the other beside it."""
    width = page.locator(".st-key-kr_width [data-testid=stSliderThumbValue]")
    before = width.inner_text()
    page.locator(".st-key-kr_width input[type=range]").press("ArrowRight")
    expect(width).not_to_have_text(before)
    page.wait_for_url(re.compile(r"kr_width=0\.\d"))
    rows = "x,y,note\n" + "".join(f"{row},{row % 7},{'-' * 200}\n" for row in range(200))  # more than nginx buffers
    page.locator("input[type=file]").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    expect(page.get_by_text("In use: 200 points, 'a.csv'.")).to_be_visible()


@pytest.mark.skipif(not workers.POSSIBLE, reason="nobody replaces a process here")
def test_a_browser_stays_with_one_process_and_survives_its_end(browser: Browser, deployed: Deployed) -> None:
    with browser.new_context() as first, browser.new_context() as second:
        page = open_lab(first, deployed)
        use(page)
        page.goto("about:blank")  # so that its websocket is logged
        visitor = cookie_of(first)
        until(lambda: "/_stcore/stream" in set().union(*deployed.answered(visitor).values()))
        ((process, paths),) = deployed.answered(visitor).items()
        assert any(path.startswith("/_stcore/upload_file/") for path in paths)
        assert "/kernel_regression" in paths, "the first answer comes from there as well"

        other = cookie_for_another(deployed, process)
        second.add_cookies([{"name": COOKIE, "value": other, "url": deployed.serving.address}])
        use(open_lab(second, deployed))
        assert cookie_of(second) == other
        assert process not in deployed.answered(other)

        page = open_lab(first, deployed)
        kill(f"http://{process}")
        served_by(page, boot_of(f"http://{process}"))
        use(page)
        assert cookie_of(first) == visitor
        assert list(deployed.answered(visitor)) == [process], "its successor has taken over"


@pytest.mark.parametrize(("apt", "user", "may"), [(True, 0, True), (True, 1000, False), (False, 0, False)])
def test_nginx_is_installed_where_that_is_possible(
    apt: bool, user: int, may: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    computation: list[str] = []
    monkeypatch.setattr(nginx.shutil, "which", lambda name, path=None: "/usr/bin/apt-get" if apt and not path else None)
    monkeypatch.setattr(nginx.os, "geteuid", lambda: user)
    monkeypatch.setattr(nginx.subprocess, "run", lambda command, **_: computation.append(command[1]))
    assert nginx.ensure() is None
    assert computation == (["update", "install"] if may else [])
