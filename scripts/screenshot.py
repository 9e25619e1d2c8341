"""Take the picture of the lab that the README shows: `python -m scripts.screenshot` writes docs/lab.png."""

import argparse
import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.conftest import FLAGS, HAS_TEXT, SETTLED
from tests.browser.serving import ROOT, free_port, serving

LINK = "/kernel_regression?kr_width=0.251&kr_query=2"  # sharp, but not yet a diagonal, with one query pinned
SIZE = {"width": 1440, "height": 900}
PATIENCE = 60_000  # milliseconds
# The stage draws into a shadow root.
DRAWN = """() => [...document.querySelectorAll(".st-key-kr_stage *")]
  .some(each => each.shadowRoot?.querySelector("svg path, canvas"))"""


def taken(link: str) -> bytes:
    """The page behind a link as PNG, served and opened for this one picture."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "server:app", "--host", "127.0.0.1", "--port", str(port)]
    with serving(command, port, ready="/readyz") as started, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.set_default_timeout(PATIENCE)
        page.goto(started.address + link)
        page.wait_for_selector(SETTLED)
        page.wait_for_function(HAS_TEXT)
        page.wait_for_function(DRAWN)
        page.evaluate("() => document.fonts.ready")
        page.wait_for_load_state("networkidle")
        picture = page.screenshot(animations="disabled")
        browser.close()
    return picture


def small(picture: bytes) -> bytes:
    """The same pixels in fewer bytes."""
    written = io.BytesIO()
    Image.open(io.BytesIO(picture)).convert("RGB").save(written, "PNG", optimize=True)
    return written.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--link", default=LINK)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "lab.png")
    chosen = parser.parse_args()
    if chromium.find() is None:
        sys.exit(chromium.HOW_TO_GET_ONE)
    chosen.out.parent.mkdir(exist_ok=True)
    chosen.out.write_bytes(small(taken(chosen.link)))
    print(f"{chosen.out}: {chosen.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
