"""The gallery as a student meets it: one drag sharpens every picture, one hover reads a weight, all of it torch's."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from attention_core.demos.patterns import PATTERNS, pattern_frames
from attention_ui.chapters.heatmaps.choices import SHARPNESSES
from tests.browser.gestures import box, handle, messages

SLOW = 30_000  # ms: a busy machine draws late, but it draws
GALLERY = ".st-key-heatmaps_gallery .gallery"
PREVIOUS = list(PATTERNS).index("previous")


def test_a_drag_sharpens_every_picture_without_a_word_to_the_server(open_page: Callable[..., Page]) -> None:
    page = open_page("/heatmaps?heatmaps_row=6")
    expect(page.locator(GALLERY)).to_have_attribute("data-frame", str(SHARPNESSES.index(1.0)), timeout=SLOW)
    expect(page.locator(GALLERY)).to_have_attribute("data-row", "6", timeout=SLOW)
    sent = messages(page)
    x, y = handle(page, "heatmaps_sharpness")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 1000, y, steps=20)  # past the end of the slider
    expect(page.locator(GALLERY)).to_have_attribute("data-frame", str(len(SHARPNESSES) - 1), timeout=SLOW)
    assert sent == [], "the drag must not wait for the server"
    largest = pattern_frames(["previous"], 10, 1, SHARPNESSES)[-1, 0, 6].max().item()
    expect(page.locator(f"{GALLERY} .reading").nth(PREVIOUS)).to_have_text(
        f"most to key 5: {largest:.4f}", timeout=SLOW
    )
    page.mouse.up()
    expect(page).to_have_url(re.compile("heatmaps_sharpness=10"), timeout=SLOW)


def test_a_hover_reads_query_key_and_weight_and_every_row_follows(open_page: Callable[..., Page]) -> None:
    page = open_page("/heatmaps")
    expect(page.locator(GALLERY)).to_have_attribute("data-row", "5", timeout=SLOW)
    cells = page.locator(f"{GALLERY} .cells canvas").nth(PREVIOUS)
    x, y, width, height = box(cells)
    page.mouse.move(x + 0.15 * width, y + 0.25 * height)
    weight = pattern_frames(["previous"], 10, 1, [1.0])[0, 0, 2, 1].item()
    expect(page.locator(f"{GALLERY} .tooltip")).to_have_text(f"query 2 · key 1 · weight {weight:.4f}", timeout=SLOW)
    causal = page.locator(f"{GALLERY} .reading").nth(list(PATTERNS).index("causal"))
    expect(causal).to_have_text("3 keys, each 0.3333", timeout=SLOW)
    page.emulate_media(forced_colors="active")
    count = "all => new Set(all.map(each => getComputedStyle(each).fill)).size"
    shades = page.locator(f"{GALLERY} svg rect").evaluate_all(count)
    assert shades > 20, "forced colours take no scale away"


def test_negative_weights_of_ones_own_have_bars_below_0(open_page: Callable[..., Page]) -> None:
    page = open_page("/heatmaps?heatmaps_source=own")
    page.get_by_role("tab", name="Paste").click()
    field = page.locator(".st-key-heatmaps_pasted textarea")
    field.fill("0.8 -0.4\n0.5 0.5")
    field.blur()
    slider = page.locator(".st-key-heatmaps_row [role=slider], .st-key-heatmaps_row input[type=range]").first
    slider.press("ArrowLeft")
    bars, zero = (page.locator(f"{GALLERY} svg.bars path").nth(i) for i in (0, 1))
    expect(page.locator(f"{GALLERY} .reading")).to_have_text("most to key 0: 0.8000", timeout=SLOW)
    expect(zero).to_have_attribute("d", re.compile("M"), timeout=SLOW)
    ends = [float(end) for end in re.findall(r"V([-\d.]+)H", bars.get_attribute("d") or "")]
    middle = float(re.findall(r",([\d.]+)H", zero.get_attribute("d") or "")[0])
    positive, negative = ends
    assert positive < middle < negative
    assert middle - positive == pytest.approx(2 * (negative - middle), abs=0.02), "as long as the weights are large"
