"""Self-attention as a student meets it: shuffle the words, and drag how strongly their positions count."""

import re
from collections.abc import Callable
from typing import Any

import torch
from playwright.sync_api import Page, expect

from attention_core.transformer.positions import similarity
from attention_ui.chapters.self_attention.choices import Asked
from attention_ui.chapters.self_attention.computation import tokens_computation
from attention_ui.chapters.self_attention.pictures_positions import MOST
from attention_ui.numbers import short
from tests.browser.gestures import box, handle, messages, still

HEATMAPS = ".st-key-sa_weights_picture .picture"
OUTPUTS = ".st-key-sa_outputs_picture .picture"
POSITIONS = ".st-key-sa_positions_picture .picture"
WORDS, BACK = ("the", "cat", "sat", "on", "the", "mat"), (5, 4, 3, 2, 1, 0)
# Frame, pixels, points and read-outs of one picture, read in one go.
PICTURE = """place => ({
    frame: +place.dataset.frame,
    pixels: [...place.querySelectorAll("canvas")].map(canvas =>
        canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.join()),
    spots: [...place.querySelectorAll(".spot")].map(spot => spot.getAttribute("transform")),
    told: [...place.querySelectorAll(".readouts b")].map(number => number.textContent),
})"""


def picture(page: Page, place: str) -> dict[str, Any]:
    """A picture at rest."""
    seen: dict[str, Any] = still(page, lambda: page.locator(place).evaluate(PICTURE))
    return seen


def drag_to_the_end(page: Page, slider: str) -> None:
    """Take the handle to the right end, and hold it there."""
    x, y = handle(page, slider)
    left, _, width, _ = box(page.locator(f".st-key-{slider}"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(left + width, y)


def test_reversed_words_get_what_they_had_until_positions_are_dragged_in(open_page: Callable[..., Page]) -> None:
    page = open_page("/self_attention")
    expect(page.locator(f"{HEATMAPS} .title")).to_have_text(["Weights"])
    page.locator(".st-key-sa_reverse button").click()
    expect(page.locator(f"{HEATMAPS} .title")).to_have_text(["As typed", "In the new order"])
    expect(page.locator(f"{OUTPUTS} .title")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"sa_order=5\.4\.3\.2\.1\.0"))
    note = page.locator(f"{OUTPUTS} .note").last
    expect(note).to_have_text(re.compile(" 0$"))
    before, outputs, sent = picture(page, HEATMAPS), picture(page, OUTPUTS), messages(page)
    drag_to_the_end(page, "sa_strength")
    for place in (HEATMAPS, OUTPUTS):
        expect(page.locator(place)).to_have_attribute("data-frame", "100")
    after, moved = picture(page, HEATMAPS), picture(page, OUTPUTS)
    change = short(tokens_computation(Asked(WORDS, BACK), 100).shown["change"].item())
    expect(note).to_have_text(re.compile(f" {re.escape(change)}$"))
    assert sent == [], "the drag must not wait for the server"
    page.mouse.up()
    for then, now in ((before, after), (outputs, moved)):
        assert all(a != b for a, b in zip(then["pixels"], now["pixels"], strict=True))


def test_an_offset_turns_the_pairs_and_slides_the_waves(open_page: Callable[..., Page]) -> None:
    page = open_page("/self_attention?sa_tab=positions&sa_offset=0&sa_width=16")
    expect(page.locator(POSITIONS)).to_have_attribute("data-frame", "0")
    before, sent = picture(page, POSITIONS), messages(page)
    drag_to_the_end(page, "sa_offset")
    expect(page.locator(POSITIONS)).to_have_attribute("data-frame", str(MOST))
    after = picture(page, POSITIONS)
    assert sent == [], "the drag must not wait for the server"
    page.mouse.up()
    assert float(after["told"][0]) < 1e-12, "the rotation lands on the encoding of p + k"
    assert after["told"][1] == short(float(similarity(torch.tensor(MOST), 16)), 4)
    changed = [then != now for then, now in zip(before["pixels"], after["pixels"], strict=True)]
    assert changed == [False, True, False], "only the rotated encoding moves"
    assert [then != now for then, now in zip(before["spots"], after["spots"], strict=True)] == [True] * 3 + [False] * 3
