"""deploy/ as it is used: two processes behind nginx, a browser that stays with one, and what a dead one does."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from attention_ui.server import workers
from tests.browser import nginx
from tests.browser.conftest import HAS_TEXT, SETTLED
from tests.browser.restarting import boot_of, kill, served_by
from tests.browser.serving import ROOT, Serving, fetch, free_port, serving
from tests.browser.test_restart import MOST_SECONDS, drag_past_a_kill, own_file
from tests.browser.test_server import site
from tests.browser.test_server import use as use_framed

CONFIG = ROOT / "deploy" / "nginx.conf"
# Which process answered whom. A websocket is logged when it closes.
LOG = "log_format who '$visitor\t$upstream_addr\t$uri'; access_log {} who;"
COOKIE = "attention_lab"
CERTIFY = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "1"]
SECONDS = 30


class Deployed(NamedTuple):
    """Two processes behind nginx."""

    serving: Serving
    log: Path
    ports: list[int]
    secure: str | None

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


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory, lms: str) -> Iterator[Deployed]:
    """What deploy/serve.sh starts, with TLS beside it where openssl can make a certificate."""
    if nginx.find() is None:
        missing(nginx.HOW_TO_GET_ONE, nginx.installable())
    folder, with_tls = tmp_path_factory.mktemp("deployed"), shutil.which("openssl") is not None
    *ports, entrance, secure = (free_port() for _ in range(4))
    config, log = folder / "nginx.conf", folder / "access.log"
    text = CONFIG.read_text()
    if with_tls:
        text = text.replace("# include tls.conf;", "include tls.conf;")
        tls = CONFIG.with_name("tls.conf").read_text().replace("/etc/ssl/lab.example", str(folder))
        (folder / "tls.conf").write_text(tls.replace("listen 8443", f"listen 127.0.0.1:{secure}"))
        subprocess.run([*CERTIFY, "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"], check=True)
    config.write_text(own_ports(text, [*ports, entrance], log))
    shutil.copy(CONFIG.with_name("app.conf"), folder)
    folder.chmod(0o755)
    surroundings = [f"PYTHON={sys.executable}", f"ATTENTION_LAB_EMBED={lms}"]
    with serving(["env", *surroundings, "sh", "deploy/serve.sh", str(config)], entrance, ready="/readyz") as started:
        for port in ports:
            until(lambda port=port: fetch(f"http://127.0.0.1:{port}/readyz").status == 200)
        yield Deployed(started, log, ports, f"https://127.0.0.1:{secure}" if with_tls else None)


def missing(words: str, could_be_there: bool) -> None:
    """Skip the test, or fail it where everything has to be tested."""
    (pytest.fail if os.environ.get("CI") == "true" and could_be_there else pytest.skip)(words)


@pytest.fixture
def secure(deployed: Deployed) -> str:
    """The address with TLS."""
    if deployed.secure is None:
        missing("NO OPENSSL, SO deploy/tls.conf IS NOT TESTED: install the package openssl.", True)
    return str(deployed.secure)


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


def use(page: Page, large: bool = False) -> None:
    """Move the slider and upload a file: one goes through the websocket, the other beside it."""
    width = page.locator(".st-key-kr_width [data-testid=stSliderThumbValue]")
    before = width.inner_text()
    page.locator(".st-key-kr_width input[type=range]").press("ArrowRight")
    expect(width).not_to_have_text(before)
    page.wait_for_url(re.compile(r"kr_width=0\.\d"))
    note = "-" * (100_000 if large else 200)  # 20 MB, or 40 kB: more than nginx buffers
    rows = "x,y,note\n" + "".join(f"{row},{row % 7},{note}\n" for row in range(200))
    page.locator("input[type=file]").set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    expect(page.get_by_text("In use: 200 points, 'a.csv'.")).to_be_visible()


@pytest.mark.skipif(not workers.POSSIBLE, reason="nobody replaces a process here")
def test_a_browser_stays_with_one_process_and_survives_its_end(browser: Browser, deployed: Deployed) -> None:
    with browser.new_context() as first, browser.new_context() as second:
        page = open_lab(first, deployed)
        use(page, large=True)
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
        page.locator(".st-key-kr_stage .picture[data-frame]").wait_for()
        for released_when in ("there is no server", "there is one again"):
            drag_past_a_kill(page, f"http://{process}", released_when)
        there = own_file(page)
        there()
        begun = time.monotonic()
        kill(f"http://{process}")
        boot = boot_of(f"http://{process}")  # it waits for an answer
        back = time.monotonic() - begun
        served_by(page, boot)
        there()
        drawn = time.monotonic() - begun
        print(f"behind nginx: a dead process is back within {back:.1f} s, its page works after {drawn:.1f} s")
        assert back < MOST_SECONDS
        assert drawn < MOST_SECONDS
        use(open_lab(first, deployed))
        assert cookie_of(first) == visitor
        assert list(deployed.answered(visitor)) == [process], "its successor has taken over"


def test_tls_as_tls_conf_has_it(browser: Browser, deployed: Deployed, secure: str) -> None:
    with browser.new_context(ignore_https_errors=True) as visitor:
        page = visitor.new_page()
        with page.expect_websocket() as socket:
            page.goto(f"{secure}/kernel_regression?kr_function=own")
        assert socket.value.url.startswith("wss:")
        page.wait_for_selector(SETTLED)
        use(page)
        cookies = {cookie["name"]: cookie for cookie in visitor.cookies()}
        assert COOKIE in cookies
        assert len(cookies) > 1, "Streamlit's own as well"
        assert all(cookie["secure"] for cookie in cookies.values())
        for address in (secure, deployed.serving.address):
            for path in ("/metrics", "/_stcore/metrics"):
                assert visitor.request.get(address + path).status == 404


def test_the_frame_of_another_site_stays_with_one_process(
    browser: Browser, deployed: Deployed, secure: str, lms: str
) -> None:
    with browser.new_context(ignore_https_errors=True) as visitor, site(urlsplit(lms).port or 0):
        page = visitor.new_page()
        page.goto(f"{lms}/?{secure}/kernel_regression?kr_function=own")
        frame = page.frame_locator("iframe")
        use_framed(frame)
        rows = {"name": "a.csv", "mimeType": "text/csv", "buffer": b"x,y\n1,2\n2,3\n3,5\n"}
        frame.locator("input[type=file]").set_input_files(rows)
        expect(frame.get_by_text("In use: 3 points, 'a.csv'.")).to_be_visible()
        (cookie,) = [cookie for cookie in visitor.cookies() if cookie["name"] == COOKIE]
        assert (cookie["sameSite"], cookie["secure"]) == ("None", True)
        assert cookie.get("partitionKey"), "it is kept apart for each site that shows us"
        page.goto("about:blank")  # so that its websocket is logged
        until(lambda: "/_stcore/stream" in set().union(*deployed.answered(cookie["value"]).values()))
        ((_, paths),) = deployed.answered(cookie["value"]).items()
        assert any(path.startswith("/_stcore/upload_file/") for path in paths)


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
