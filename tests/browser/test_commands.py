"""`make run` from start to Ctrl-C, and what happens where there is no Chromium."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import chromium
from tests.browser.serving import ROOT, free_port, serving


def installed() -> bool:
    """Whether `make run` would begin at once, with the Python that runs this."""
    if Path(sys.prefix) != ROOT / ".venv" or shutil.which("make") is None:
        return False
    return subprocess.run(["make", "--question", ".venv/installed"], cwd=ROOT, check=False).returncode == 0


@pytest.mark.skipif(not installed(), reason="make run would install everything first; under make test it does not")
def test_make_run_says_where_it_is_and_stops_on_ctrl_c(browser: Browser) -> None:
    port = free_port()
    with serving(["make", "run", f"PORT={port}"], port, ready="/readyz") as started:
        page = browser.new_page()  # not the page fixture, which minds that its server goes
        page.goto(started.address)
        expect(page.get_by_test_id("stMainBlockContainer")).not_to_be_empty()
        os.killpg(started.process.pid, signal.SIGINT)  # as a terminal does: make and the server both get it
        started.process.wait(5)
        page.close()
        printed = started.printed.read_text()
    assert printed.count(f"http://localhost:{port}") == 1
    assert "Installing" not in printed
    assert "Traceback" not in printed
    assert "***" not in printed, "make complains"


def pytest_without_chromium(folder: Path, ci: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run one browser test where there is no Chromium, neither on PATH nor from Playwright."""
    hidden = {name: value for name, value in os.environ.items() if name not in {"CI", chromium.OVERRIDE}}
    surroundings = hidden | {"PATH": str(folder), "PLAYWRIGHT_BROWSERS_PATH": str(folder), "CI": ci}
    one_test = "tests/browser/test_server.py::test_the_first_page_opens"
    command = [sys.executable, "-m", "pytest", "--confcutdir=tests/browser", *options, one_test]
    return subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("options", [[], ["--numprocesses=1"]], ids=["alone", "in a worker"])
def test_without_chromium_the_pages_are_skipped_with_one_loud_line(tmp_path: Path, options: list[str]) -> None:
    result = pytest_without_chromium(tmp_path, "", *options)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "1 skipped" in result.stdout
    assert result.stdout.count(chromium.HOW_TO_GET_ONE) == 1


def test_without_chromium_ci_fails(tmp_path: Path) -> None:
    result = pytest_without_chromium(tmp_path, "true", "--numprocesses=1")
    assert result.returncode != 0
    assert (result.stdout + result.stderr).count(chromium.HOW_TO_GET_ONE) == 1


def test_a_chromium_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = tmp_path / "my-chromium"
    monkeypatch.setenv(chromium.OVERRIDE, str(named))
    assert chromium.ensure() is None, "a wrong name installs nothing"
    named.touch(mode=0o755)
    assert chromium.find() == str(named)


@pytest.mark.parametrize(("apt", "user", "first"), [(True, 0, "apt-get"), (True, 1000, None), (False, 0, None)])
def test_debians_package_needs_apt_and_root(
    apt: bool, user: int, first: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if apt else None)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    ways = chromium.ways_to_install()
    assert ways[0][0][0] == (first or sys.executable)
    assert ways[-1] == [[sys.executable, "-m", "playwright", "install", "chromium"]]
