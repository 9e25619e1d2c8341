"""The first page as a visitor meets it: one drag changes both pictures, and every card leads to its chapter."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from attention_core.data import generate, query_grid
from attention_core.pooling import kernel_pool
from attention_ui.contents import CHAPTERS
from tests.browser.gestures import box, handle, messages

STAGE = ".st-key-home_stage .picture"
PREDICTION = f"{STAGE} path.prediction"
HEATMAP = f"{STAGE} .cells svg"


@pytest.fixture
def home(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Open the first page and wait until the stage has drawn."""

    def open_home(query: str = "") -> Page:
        page = open_page("/" + query)
        expect(page.locator(STAGE)).to_have_attribute("data-frame", re.compile(r"\d+"))
        expect(page.locator(f".st-key-home_picture_{CHAPTERS[-1].name} svg")).to_be_visible()
        return page

    return open_home


def test_one_drag_moves_the_stage_and_the_link_keeps_it(home: Callable[..., Page]) -> None:
    page = home()
    for part in ("h1", ".st-key-home_width", STAGE):
        _, top, _, height = box(page.locator(part).first)
        assert top >= 0
        assert top + height <= 900, "the first screen holds it all"
    curve, heard = page.locator(PREDICTION).get_attribute("d"), messages(page)
    x, y = handle(page, "home_width")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 300, y, steps=10)
    expect(page.locator(PREDICTION)).not_to_have_attribute("d", curve or "")
    assert heard == [], "the drag must not wait for the server"
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"home_width=0\.\d+"))
    kept = re.search(r"home_width=([\d.]+)", page.url)
    assert kept is not None
    largest = kernel_pool(query_grid(), *generate(), float(kept[1])).weights.max().item()
    told = re.compile(f"the largest is {largest:.3g}")
    expect(page.locator(HEATMAP)).to_have_attribute("aria-label", told)
    home("?" + page.url.partition("?")[2])
    expect(page.locator(HEATMAP)).to_have_attribute("aria-label", told)


def test_a_card_leads_to_its_chapter_without_loading_the_app_again(home: Callable[..., Page]) -> None:
    page = home()
    page.evaluate("() => { globalThis.stillHere = true; }")
    card = page.locator(".st-key-home_card_kernel_regression")
    expect(card.get_by_role("img")).to_have_attribute("aria-label", re.compile("50 samples"))
    _, _, width, _ = box(card)
    card.click(position={"x": width / 2, "y": 60})  # the picture, not the words
    expect(page).to_have_url(re.compile("/kernel_regression"))
    expect(page.locator("h1")).to_have_text("Drag the width, watch attention sharpen")
    assert page.evaluate("() => globalThis.stillHere") is True


def test_cards_of_a_row_are_equally_high(home: Callable[..., Page]) -> None:
    page = home()
    boxes = [box(page.locator(f".st-key-home_card_{chapter.name}")) for chapter in CHAPTERS]
    assert len({round(x) for x, *_ in boxes}) == 4, "four across"
    for _, top, _, height in boxes:
        row = [h for _, t, _, h in boxes if abs(t - top) < 2]
        assert max(row) - min(row) < 2
        assert height > 150
