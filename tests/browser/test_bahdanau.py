"""Bahdanau's page as a student meets it: step through a text, train, stop, go on, mistype."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from attention_core.sequences.checkpoint import load
from attention_core.sequences.decoding import trace
from attention_core.sequences.tasks import TASKS
from tests.browser.gestures import stepped, still

PLACE = ".st-key-bahdanau_decoding .steps"
# Everything that a draw sets, in one go, so that no picture is compared with a number of the next.
READ = r"""place => ({
  frame: +place.dataset.frame,
  caption: place.querySelector(".player output").textContent,
  bands: [...place.querySelectorAll("path.band")].map(band => +band.getAttribute("stroke-width")),
  chances: [...place.querySelectorAll("text.number")].map(number => +number.textContent),
  written: [...place.querySelectorAll("text.symbol.now")].map(symbol => symbol.textContent),
  filled: [...place.querySelectorAll("canvas")].map(canvas => {
    const ahead = place.querySelector("rect.rows-ahead").getBBox().height;
    return Math.round(canvas.height * (1 - ahead / parseFloat(canvas.style.height)));
  })[0],
})"""


def seen(page: Page) -> dict[str, Any]:
    """What is on the screen once it has come to rest."""
    return still(page, lambda: page.locator(PLACE).evaluate(READ))


def press(page: Page, name: str) -> None:
    """Press a button of the play bar."""
    page.locator(f"{PLACE} .player").get_by_role("button", name=name, exact=True).click()


def assert_torchs(shown: dict[str, Any], text: str) -> None:
    """Bands, probabilities and symbol are torch's at the frame that is shown."""
    written, t = trace(load("reverse"), TASKS["reverse"], text), shown["frame"]
    total = sum(shown["bands"])  # the weights sum to 1, so the bands are as broad as all of them
    assert [band / total for band in shown["bands"]] == pytest.approx(written.weights[t].tolist(), abs=1e-4)
    assert shown["chances"][0] == pytest.approx(written.probabilities[t].max().item(), abs=5.1e-5)
    assert shown["written"] == [written.symbols[t]]
    assert shown["caption"] == f"symbol {t + 1} of {len(written.symbols)}: {written.symbols[t]}"
    assert shown["filled"] == t + 1


def test_stepping_moves_the_bands_without_waiting_for_the_server(open_page: Callable[..., Page]) -> None:
    page = open_page("/bahdanau?bahdanau_digits=86420")
    place = page.locator(PLACE)
    expect(place).to_have_attribute("data-frame", "0")
    assert_torchs(seen(page), "86420")
    assert [stepped(place, "One symbol on") for _ in range(3)] == ["1", "2", "3"]
    assert_torchs(seen(page), "86420")
    press(page, "One symbol back")
    expect(place).to_have_attribute("data-frame", "2")
    page.locator(f"{PLACE} .machine").focus()
    page.keyboard.press("ArrowLeft")
    expect(place).to_have_attribute("data-frame", "1")
    assert_torchs(seen(page), "86420")
    expect(page.locator(f"{PLACE} .machine")).to_have_attribute("aria-label", re.compile("Written so far: 02"))
    page.wait_for_function("() => location.search.includes('bahdanau_at=2')")
    page.reload()
    expect(place).to_have_attribute("data-frame", "1")


def test_train_stop_and_go_on(open_page: Callable[..., Page]) -> None:
    """600 steps of a wide model: longer than the test, so that there is always something to stop."""
    page = open_page("/bahdanau?bahdanau_tab=train&bahdanau_steps=600&bahdanau_hidden=64")
    expect(page.locator(".st-key-bahdanau_untrained_reverse svg.over")).to_be_visible()
    page.locator(".st-key-bahdanau_train button").click()
    # Past the first check, at step 5: before it there is nothing to replay.
    expect(page.get_by_text(re.compile(r"Training: step ([5-9]|\d{2,}) of 600"))).to_be_visible(timeout=30_000)
    first = stopped(page)
    expect(page.locator("[class*=st-key-bahdanau_replay] .player").first).to_be_visible()
    page.locator(".st-key-bahdanau_go_on button").click()
    expect(page.locator(".st-key-bahdanau_stop button")).to_be_visible(timeout=30_000)
    expect(page.get_by_text(re.compile(rf"Training: step (?!{first} )\d+ of 600"))).to_be_visible(timeout=30_000)
    assert stopped(page) > first


def stopped(page: Page) -> int:
    """Press Stop, and return the step at which training stands then."""
    page.locator(".st-key-bahdanau_stop button").click()
    words = page.get_by_text(re.compile(r"Stopped: step \d+ of 600"))
    expect(words).to_be_visible(timeout=30_000)
    (step,) = re.findall(r"step (\d+) of", words.inner_text())
    return int(step)


def test_a_mistyped_text_gets_a_sentence_and_the_picture_stays(open_page: Callable[..., Page]) -> None:
    page = open_page("/bahdanau?bahdanau_digits=86420")
    expect(page.locator(PLACE)).to_have_attribute("data-frame", "0")
    before = seen(page)
    typed = page.locator(".st-key-bahdanau_digits input")
    typed.fill("86x20")
    typed.press("Enter")
    expect(page.get_by_text("'x' is not one of them. The picture still shows '86420'")).to_be_visible()
    assert seen(page) == before
    typed.fill("97531")
    typed.press("Enter")
    expect(page.get_by_text("From '97531' it wrote")).to_be_visible()
    expect(page.locator(f"{PLACE} .player output")).to_have_text("symbol 1 of 6: 1")
    assert_torchs(seen(page), "97531")
