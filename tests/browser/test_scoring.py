"""The chapter on scores as a student meets it: choose, click, hover, resize, share the link, open it on a phone."""

import re
from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from attention_core.scores import SCORES
from attention_ui.chapters.scoring.own_vectors import Vectors, written
from tests.browser.conftest import SETTLED

CHAIN = ".st-key-scoring_chain"
# How far Reset is below the head of the tables, from now on and frame by frame: every distance there has been.
PLACES = """() => {
  globalThis.places = new Set()
  const top = what => document.querySelector(`.st-key-scoring_${what}`)?.getBoundingClientRect().top
  const look = () => {
    if (top("reset button")) places.add(Math.round(top("reset button") - top("own [data-testid=stColumn]")))
    requestAnimationFrame(look)
  }
  look()
}"""


def cells(page: Page, name: str) -> Locator:
    """The numbers of one matrix, row by row."""
    return page.locator(f"{CHAIN} table[data-name={name}] td:not(.sum, .corner)")


def weights(score: str) -> list[str]:
    """What torch makes of the usual queries and keys, as the page writes it."""
    queries, keys, _ = Vectors().tensors()
    return [f"{weight:.3f}" for weight in torch.softmax(SCORES[score](queries, keys), -1).flatten().tolist()]


def test_a_score_a_click_and_the_pointer_change_what_is_seen(open_page: Callable[..., Page]) -> None:
    page = open_page("/scoring")
    expect(cells(page, "weights")).to_have_text(weights("dot"))
    page.locator(".st-key-scoring_block_score button", has_text="Cosine").click()
    expect(cells(page, "weights")).to_have_text(weights("cosine"))
    cells(page, "weights").nth(6).click()  # query 1, key 2
    expect(page).to_have_url(re.compile("scoring_block_query=q1.*scoring_block_key=k2"))
    expect(page.locator(f"{CHAIN} table[data-name=scores] td.chosen")).to_have_text("0.71")
    cells(page, "scores").nth(1).hover()  # query 0, key 1
    expect(page.locator(f"{CHAIN} .tip")).to_have_text("score of q0 and k1, cosine: 0")
    expect(page.locator(f"{CHAIN} td.source")).to_have_text(["2", "0", "0", "1"])


def test_a_resized_table_stays_through_tabs_and_links_until_reset(open_page: Callable[..., Page]) -> None:
    page = open_page("/scoring")
    page.locator(".st-key-scoring_own summary").click()
    page.locator(".st-key-scoring_size_queries input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    four = [*"200211", *"00"]
    expect(cells(page, "Q")).to_have_text(four)
    expect(page).to_have_url(re.compile("scoring_q=2"))
    page.locator(".st-key-scoring_tab button", has_text="Masks").click()
    outputs = page.locator(".st-key-scoring_example table[data-name=outputs] td:not(.corner)")
    expect(outputs).to_have_text(["2", "3", "4", "5", "10", "11", "12", "13"])
    expect(page).to_have_url(re.compile("scoring_tab=masks"))
    page.reload()
    expect(outputs).to_have_text(["2", "3", "4", "5", "10", "11", "12", "13"])
    page.locator(".st-key-scoring_tab button", has_text="Building blocks").click()
    expect(cells(page, "Q")).to_have_text(four)
    page.locator(".st-key-scoring_own summary").click()
    page.locator(".st-key-scoring_reset button").click()
    expect(cells(page, "Q")).to_have_text(four[:6])


def test_reset_does_not_move_while_the_tables_are_drawn(open_page: Callable[..., Page]) -> None:
    page = open_page("/scoring")
    page.evaluate(PLACES)
    page.locator(".st-key-scoring_own summary").click()
    expect(page.locator(".st-key-scoring_own [data-testid=data-grid-canvas]")).to_have_count(3)
    page.locator(".st-key-scoring_reset button").wait_for()
    assert len(page.evaluate("() => [...places]")) == 1  # or a click on it could be lost


@pytest.mark.parametrize(("tab", "table"), [("blocks", CHAIN), ("masks", ".st-key-scoring_example")])
def test_nothing_scrolls_sideways_on_a_phone(phone: Page, server: str, tab: str, table: str) -> None:
    eight = written(Vectors().resized(8, 8, 8, 8).k)
    phone.goto(
        f"{server}/scoring?scoring_q={eight}&scoring_k={eight}&scoring_v={eight}&scoring_tab={tab}&scoring_mask_1=0"
    )
    phone.wait_for_selector(SETTLED)
    expect(phone.locator(f"{table} td").first).to_be_attached()
    assert phone.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 392
