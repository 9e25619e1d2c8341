"""The desk as a student meets it: drag the blend, change a saliency, by mouse, keyboard and finger."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
import torch
from playwright.sync_api import BrowserContext, Page, expect

from attention_core.demos.cues import look
from attention_ui.chapters.cues.choices import Cues
from tests.browser.conftest import SETTLED
from tests.browser.gestures import box, finger, handle, messages, still

DESK = ".st-key-cues_desk .cues"
SALIENCY = Cues().outstanding()
# Everything that a draw sets, in one go, so that no picture is compared with a number of the next.
READ = """place => ({
  frame: +place.dataset.frame,
  attention: [...place.querySelectorAll(".object")].map(object => +object.dataset.attention),
  tags: [...place.querySelectorAll(".tag b")].map(tag => tag.textContent),
  bars: [...place.querySelectorAll(".attention .fill")].map(fill => parseFloat(fill.style.width)),
  gains: [...place.querySelectorAll(".gains .number")].map(number => +number.textContent),
  light: [...place.querySelectorAll(".pools .light")].map(light => +light.getAttribute("opacity")),
  told: place.querySelector(".picture").getAttribute("aria-label"),
})"""


def seen(page: Page) -> dict[str, Any]:
    """What is on the desk once it has come to rest."""
    return still(page, lambda: page.locator(DESK).evaluate(READ))


def assert_torchs(shown: dict[str, Any], saliency: torch.Tensor, goal: str | None) -> None:
    """Light, tags, bars, gains and words are those of torch at the frame that is shown."""
    output, (weights, *_) = look(saliency, goal, shown["frame"] / 100)
    assert shown["attention"] == pytest.approx(weights.tolist(), rel=1e-5)
    assert shown["bars"] == pytest.approx((100 * weights).tolist(), abs=1e-3)
    assert shown["gains"] == pytest.approx(output[0].tolist(), abs=0.0051)
    assert shown["light"] == pytest.approx(weights.sqrt().tolist(), abs=1e-3)
    assert [float(tag.removesuffix(" %")) for tag in shown["tags"]] == pytest.approx(
        (100 * weights).tolist(), abs=0.051
    )
    assert f"coffee cup {shown['tags'][2]}" in shown["told"]


def test_a_drag_moves_light_and_bars_without_a_word_to_the_server(open_page: Callable[..., Page]) -> None:
    page = open_page("/cues")
    expect(page.locator(DESK)).to_have_attribute("data-frame", "0")
    assert_torchs(seen(page), SALIENCY, "read")
    told = messages(page)
    x, y = handle(page, "cues_blend")
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 41):
        page.mouse.move(x + 5 * step, y)
    expect(page.locator(DESK)).not_to_have_attribute("data-frame", "0")
    shown = seen(page)
    assert 20 <= shown["frame"] <= 60
    assert_torchs(shown, SALIENCY, "read")
    weights = look(SALIENCY, "read", shown["frame"] / 100).weights[0]
    cells = page.locator(".st-key-cues_vectors tbody tr:nth-child(5) td")
    cells.last.scroll_into_view_if_needed()
    expect(cells.nth(5)).to_have_text(f"{weights[4]:.4f}")
    assert told == [], "the drag must not wait for the server"
    page.mouse.up()
    expect(page).to_have_url(re.compile(f"cues_blend={shown['frame']}"))
    assert seen(page) == shown, "the release must not change the picture"


def test_saliency_acts_on_release_and_reset_puts_it_back(open_page: Callable[..., Page]) -> None:
    page = open_page("/cues?cues_goal=nothing&cues_blend=40")
    expect(page.locator(DESK)).to_have_attribute("data-frame", "40")
    assert_torchs(seen(page), SALIENCY, None)
    page.locator(".st-key-cues_book input[type=range]").focus()
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile(r"cues_book=6"))
    saliency = torch.tensor([1.5, 1, 5, 1, 6], dtype=torch.float64)
    book = f"{100 * saliency.softmax(0)[4]:.1f} %"
    expect(page.locator(f"{DESK} .tag b").nth(4)).to_have_text(book)
    assert_torchs(seen(page), saliency, None)
    page.locator(".st-key-cues_reset button").click()
    expect(page.locator(DESK)).to_have_attribute("data-frame", "0")
    expect(page.locator(f"{DESK} .tag b").nth(2)).to_have_text(f"{100 * SALIENCY.softmax(0)[2]:.1f} %")
    assert_torchs(seen(page), SALIENCY, "read")


# Every frame that is drawn, and the object that gets the most there.
WATCH = """place => {
  const seen = place.seen = [];
  const look = () => seen.push([+place.dataset.frame, place.querySelector(".tag.most i")?.textContent]);
  new MutationObserver(look).observe(place, { attributes: true, attributeFilter: ["data-frame"] });
}"""


def test_a_goal_draws_attention_step_by_step_and_a_key_makes_an_object_stand_out(
    context: BrowserContext, server: str
) -> None:
    page = context.new_page()
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()  # its frames come as our time goes on, however busy the machine is
    page.goto(f"{server}/cues")
    desk = page.locator(DESK)
    expect(desk).to_have_attribute("data-frame", "0")
    page.wait_for_selector(SETTLED)
    desk.evaluate(WATCH)
    page.clock.pause_at(datetime.now() + timedelta(minutes=1))
    page.locator(".st-key-cues_goal button").nth(1).click()  # the goal that stands already
    while desk.get_attribute("data-frame") != "100":
        page.clock.run_for(20)
    page.clock.resume()
    assert_torchs(seen(page), SALIENCY, "read")
    frames, most = zip(*desk.evaluate("place => place.seen"), strict=True)
    assert list(frames) == sorted(frames)
    assert len(frames) > 5, "one sees attention move"
    assert (most[0], most[-1]) == ("coffee cup", "book")
    notebook = page.locator(f"{DESK} .object").nth(3)
    expect(notebook).to_have_attribute("aria-pressed", "false")
    notebook.focus()
    page.keyboard.press("Enter")
    expect(notebook).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("cues_notebook=5"))
    expect(page.locator(".st-key-cues_notebook [data-testid=stSliderThumbValue]")).to_have_text("5.0")
    notebook.click()
    expect(page).not_to_have_url(re.compile("cues_notebook"))
    page.close()


def test_a_finger_drags_it_on_a_phone_and_nothing_scrolls_sideways(phone: Page, server: str) -> None:
    phone.goto(f"{server}/cues")
    phone.wait_for_selector(SETTLED)
    expect(phone.locator(DESK)).to_have_attribute("data-frame", "0")
    x, y = handle(phone, "cues_blend")
    with finger(phone, x, y) as move:
        for step in range(1, 21):
            move(x + 10 * step, y)
        expect(phone.locator(DESK)).not_to_have_attribute("data-frame", "0")
    assert_torchs(seen(phone), SALIENCY, "read")
    left, _, width, _ = box(phone.locator(DESK))
    assert left >= 0
    assert left + width <= 392
    assert phone.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 392
