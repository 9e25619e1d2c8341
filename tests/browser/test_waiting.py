"""While a picture of many points is worked on, they stand there under a bar, and no picture of what was before."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from attention_core.data import generate
from tests.browser.conftest import SETTLED

# Counts what is on the screen, at every picture that the browser paints.
WATCH = """([old, points]) => {
  const shown = (key) => [...document.querySelectorAll(`[class*="st-key-${key}"]`)].filter((each) => each.clientHeight);
  const seen = (globalThis.seenWhileWaiting = { points: 0, both: 0, bar: 0 });
  const look = () => {
    const waits = shown("waiting_").length > 0;
    const stale = shown(old).some((each) => each.dataset.stale === "true");
    seen.bar += waits && document.querySelectorAll("[data-testid=stMain] [data-testid=stProgress]").length > 0;
    seen.points += shown(points).length > 0;
    seen.both += waits && stale;
    requestAnimationFrame(look);
  };
  look();
}"""
PAGES = {
    "lab": ("/kernel_regression?kr_function=own&kr_kernel=tricube", "kr_stage", "kr_waiting_stage"),
    "table": ("/kernel_regression?kr_function=own&kr_kernel=tricube", "kr_numbers", "kr_waiting_stage"),
    "learned w": ("/learned_w?lw_function=own&lw_epochs=500", "lw_stage", "lw_run_waiting_stage"),
    "by hand": ("/learned_w?lw_function=own&lw_tab=by_hand", "lw_hand_stage", "lw_waiting_stage"),
    "several heads": ("/multihead?multihead_function=own", "multihead_stage", "multihead_waiting_stage"),
}


@pytest.mark.parametrize("name", PAGES)
def test_new_points_stand_alone_until_their_picture_is_there(open_page: Callable[..., Page], name: str) -> None:
    path, old, points = PAGES[name]
    page = open_page(path)
    expect(page.locator(f".st-key-{old}")).to_be_visible()
    page.evaluate(WATCH, [old, points])
    x, y = generate(n=20_000, seed=len(name))  # others for every page: what is kept needs no waiting
    rows = "\n".join(f"{x:.6f},{y:.6f}" for x, y in zip(x.tolist(), y.tolist(), strict=True))
    page.locator("input[type=file]").set_input_files(
        {"name": "large.csv", "mimeType": "text/csv", "buffer": f"x,y\n{rows}\n".encode()}
    )
    expect(page.get_by_text("In use: 20,000 points")).to_be_visible()
    page.wait_for_selector(SETTLED)
    expect(page.locator(f".st-key-{points}")).to_have_count(0)
    expect(page.locator(f".st-key-{old}")).to_be_visible()
    seen = page.evaluate("() => globalThis.seenWhileWaiting")
    assert seen["points"], "the points stand there meanwhile"
    assert seen["bar"], "a bar says what is done"
    assert not seen["both"], "a picture of what was before is not seen beside them"
