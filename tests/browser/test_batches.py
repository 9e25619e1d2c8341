"""The batches as a student meets them: a slider or a click moves the row and the column that meet at their sum."""

import re
from collections.abc import Callable

import torch
from playwright.sync_api import Page, expect

from attention_core.demos.batching import example, weighted_averages
from tests.browser.gestures import handle, messages

SLOW = 30_000  # ms: a busy machine draws late, but it draws
LINK = "/batches?"
PICTURE = ".st-key-batches_picture .batches"


def test_a_drag_moves_the_highlight_without_a_word_to_the_server(open_page: Callable[..., Page]) -> None:
    page = open_page(LINK + "batches_n=6&batches_a=6&batches_b=6&batches_c=6")
    expect(page.locator(PICTURE)).to_have_attribute("data-row", "1", timeout=SLOW)
    sent = messages(page)
    x, y = handle(page, "batches_row")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 1000, y, steps=10)  # past the end of the slider
    expect(page.locator(PICTURE)).to_have_attribute("data-row", "5", timeout=SLOW)
    assert sent == [], "the drag must not wait for the server"
    first, second = example(6, 6, 6, 6)
    row = [f"{number:g}" for number in first[0, 5].tolist()]
    expect(page.locator(f"{PICTURE} .entry.row")).to_have_text(row, timeout=SLOW)
    total = torch.bmm(first, second)[0, 5, 1].item()
    expect(page.locator(f"{PICTURE} .total")).to_have_text(f"= {total:g}", timeout=SLOW)
    page.mouse.up()
    expect(page).to_have_url(re.compile("batches_row=5"), timeout=SLOW)

    averages = page.locator(".st-key-batches_averages .averages")
    expect(averages).to_have_attribute("data-averages", "4.5,14.5", timeout=SLOW)
    averages.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    sent.clear()
    x, y = handle(page, "batches_tilt")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 1000, y, steps=10)
    tilted = (f"{average:.4g}" for average in weighted_averages({}, 1.0)["averages"].flatten().tolist())
    expect(averages).to_have_attribute("data-averages", ",".join(tilted), timeout=SLOW)
    assert sent == [], "nor does the tilt"
    page.mouse.up()
    expect(page).to_have_url(re.compile("batches_tilt=1"), timeout=SLOW)


def test_a_click_on_the_product_moves_the_sliders(open_page: Callable[..., Page]) -> None:
    page = open_page(LINK)
    page.locator(f"{PICTURE} button.entry").nth(2).click()  # row 0, column 2 of 2 x 3
    expect(page).to_have_url(re.compile("batches_column=2"), timeout=SLOW)
    expect(page.locator(".st-key-batches_row [data-testid=stSliderThumbValue]")).to_have_text("0", timeout=SLOW)
    first, second = example(3, 2, 4, 3)
    total = torch.bmm(first, second)[0, 0, 2].item()
    expect(page.locator(f"{PICTURE} .total")).to_have_text(f"= {total:g}", timeout=SLOW)
