"""Find a Chromium for the browser tests; run as a program, get one where there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

OVERRIDE = "ATTENTION_LAB_CHROMIUM"
SHELL = "chromium-headless-shell"  # Debian's Chromium without windows: a page costs it an eighth less
ON_PATH = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW_TO_GET_ONE = (
    "NO CHROMIUM, SO THE PAGES ARE NOT TESTED: install Chromium or Chrome, "
    f"run `python -m playwright install chromium`, or set {OVERRIDE} to the path of one."
)


def find() -> str | None:
    """The Chromium to use: the one asked for, else one on PATH, else one that Playwright has downloaded."""
    asked_for = os.environ.get(OVERRIDE)
    if asked_for is not None:
        return shutil.which(asked_for)
    on_path = next(filter(None, map(shutil.which, ON_PATH)), None)
    return on_path or _downloaded()


def _downloaded() -> str | None:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def ways_to_install() -> list[list[list[str]]]:
    """Each way to get a Chromium, as the commands to run; a system package needs apt-get and root."""
    ways = [[[sys.executable, "-m", "playwright", "install", "chromium"]]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        install = ["apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends", "fonts-liberation"]
        ways = [[["apt-get", "update", "--quiet=2"], [*install, package]] for package in (SHELL, "chromium")] + ways
    return ways


def ensure() -> str | None:
    """Find a Chromium, after trying every way to install one if need be."""
    found = find()
    for commands in ways_to_install():
        if found or OVERRIDE in os.environ:
            break
        print("Installing Chromium for the browser tests ...", flush=True)
        all(subprocess.run(command, check=False).returncode == 0 for command in commands)
        found = find()
    return found


if __name__ == "__main__":
    # Without one, pytest decides: a skip at home, a failure with CI=true.
    print(f"Browser tests use {found}" if (found := ensure()) else HOW_TO_GET_ONE)
