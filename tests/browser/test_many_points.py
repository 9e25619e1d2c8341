"""A file of 50,000 rows becomes a picture that is dragged as one of fifty points is."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from attention_core.data import generate
from tests.browser.gestures import handle, messages

STAGE = ".st-key-kr_stage .picture"
PREDICTION = f"{STAGE} path.prediction"


def test_a_large_file_becomes_a_picture_that_is_dragged_without_a_word_to_the_server(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/kernel_regression?kr_function=own")
    x, y = generate(n=50_000)
    rows = "\n".join(f"{x:.6f},{y:.6f}" for x, y in zip(x.tolist(), y.tolist(), strict=True))
    page.locator("input[type=file]").set_input_files(
        {"name": "large.csv", "mimeType": "text/csv", "buffer": f"x,y\n{rows}\n".encode()}
    )
    expect(page.get_by_text("In use: 50,000 points")).to_be_visible(timeout=20_000)
    legend = page.locator(STAGE).get_by_text("500 of 50,000 are drawn")
    expect(legend).to_be_visible(timeout=20_000)
    expect(page.locator(".st-key-kr_waiting_stage")).to_have_count(0)
    expect(page.locator("[data-testid=stApp]")).to_have_attribute("data-test-script-state", "notRunning")
    curve, heard = page.locator(PREDICTION).get_attribute("d"), messages(page)
    left, top = handle(page, "kr_width")
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(left + 150, top, steps=60)
    expect(page.locator(PREDICTION)).not_to_have_attribute("d", curve or "")
    assert heard == [], "the drag must not wait for the server"
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"kr_width=0\.\d+"))
