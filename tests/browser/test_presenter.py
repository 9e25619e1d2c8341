"""A page on a projector: type for the back row, a bar that overlaps nothing, and keys that turn chapters."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from attention_core.demos.cues import DESK
from tests.browser.gestures import box, still

BAR = ".attention-lab-presenter .bar"
SLIDER = ".st-key-kr_width input[type=range]"
SMALLEST = 0.022  # of the screen's height
# All words that are seen, with the size of their type as it is shown; not the picture on a card, formulas and indices.
WORDS = """() => {
  const seen = each => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().width > 2;
  const tells = each => [...each.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const words = (node, scale) => [...node.children]
    .filter(each => !each.matches("style, option, tspan, .katex, svg[viewBox]")).flatMap(each => [
      ...(tells(each) && seen(each) ? [[each.textContent, parseFloat(getComputedStyle(each).fontSize) * scale]] : []),
      ...words(each.shadowRoot ?? each, scale),
    ]);
  return ["stMain", "stSidebar"].map(part => document.querySelector(`[data-testid=${part}]`)).filter(Boolean)
    .flatMap(part => words(part, part.getBoundingClientRect().width / part.offsetWidth));
}"""
TYPE = "each => parseFloat(getComputedStyle(each).fontSize) * each.currentCSSZoom"
CUT = """() => [...document.querySelectorAll("[data-testid=stMain] *")]
  .filter(each => each.getClientRects().length && each.getBoundingClientRect().right > innerWidth + 1)
  .filter(each => !each.closest(".katex")).map(each => each.className).slice(0, 5)"""
CUT_FORMULAS = """() => [...document.querySelectorAll(".katex-display")]
  .filter(each => each.scrollWidth > each.clientWidth + 5).map(each => each.textContent)"""
# What ends the first screen of a view: its main picture, the numbers written out, a row of controls.
LAST = {
    "/cues": ".st-key-cues_desk",
    "/qkv": ".st-key-qkv_diagram .flow",
    "/heatmaps": ".st-key-heatmaps_gallery",
    "/batches": ".st-key-batches_picture",
    "/learned_w": ".st-key-lw_stage",
    "/scoring": ".st-key-scoring_written",
    "/bahdanau": ".st-key-bahdanau_decoding",
    "/multihead": ".st-key-multihead_stage",
    "/self_attention?sa_tab=positions": ".st-key-sa_position",
    "/transformer": ".st-key-transformer_diagram",
    "/exercises": ".st-key-exercises_before",
}


@pytest.fixture
def present(page: Page, open_page: Callable[..., Page]) -> Callable[..., Page]:
    """A function that opens a page on a screen of this size and waits for the bar."""

    def opened(path: str, width: int = 1920, height: int = 1080) -> Page:
        page.set_viewport_size({"width": width, "height": height})
        open_page(f"{path}{'&' if '?' in path else '?'}present=1")
        page.locator(BAR).wait_for()
        return page

    return opened


def words_are_large(page: Page, picture: str = "svg.graph") -> None:
    page.locator(picture).first.wait_for()
    words = still(page, lambda: page.evaluate(WORDS), 300)
    assert [each for each in words if each[1] < SMALLEST * 1080] == []


def test_words_are_as_large_as_the_back_row_needs_also_in_what_opens_over_the_page(
    present: Callable[..., Page],
) -> None:
    page = present("/kernel_regression")
    words_are_large(page, ".st-key-kr_stage .cells")
    page.keyboard.press("c")
    expect(page.locator(".st-key-kr_noise [data-testid=stTooltipIcon]")).to_be_visible()
    words_are_large(page, ".st-key-kr_stage .cells")
    page.locator(".st-key-kr_noise [data-testid=stTooltipIcon]").hover()
    page.locator("[data-testid=stTooltipContent] p").wait_for()
    sizes = [page.locator("[data-testid=stTooltipContent] p").evaluate(TYPE)]
    page.locator(".st-key-kr_function [data-testid=stSelectbox]").click()
    sizes.append(page.get_by_role("option").first.evaluate(TYPE))
    page.keyboard.press("Escape")
    page.locator(f"{BAR} h1").click()
    page.keyboard.press("q")
    code = page.get_by_label("Link to this page")
    expect(code).to_be_visible()
    sizes.append(code.evaluate(TYPE))
    expect(page.locator("[role=dialog] .code svg")).to_be_in_viewport(ratio=1)
    assert min(sizes) >= SMALLEST * 1080, sizes


def test_a_bar_is_named_wherever_on_it_the_pointer_is(present: Callable[..., Page]) -> None:
    page = present("/exercises")
    words_are_large(page)
    _, top, _, height = box(page.locator("svg.graph").first)
    for thing in DESK:
        left, _, width, _ = box(page.locator("svg.graph text", has_text=re.compile(f"^{thing.name}$")))
        for share in (0.15, 0.6, 0.85):  # above the low bars, and on the high one
            page.mouse.move(left + width / 2, top + share * height)
            expect(page.locator(".picture .tooltip")).to_contain_text(f"· {thing.name} ·")


def test_page_keys_turn_chapters_and_move_no_slider(present: Callable[..., Page]) -> None:
    page = present("/kernel_regression")
    before = page.locator(SLIDER).input_value()
    page.locator(SLIDER).focus()
    page.evaluate("() => { window.stillHere = true; }")
    page.keyboard.press("PageDown")
    page.wait_for_url("**/batches?*present=1*")
    expect(page.locator(f"{BAR} option:checked")).to_have_text("Batches")
    page.keyboard.press("PageUp")
    page.wait_for_url("**/kernel_regression?*present=1*")
    expect(page.locator(SLIDER)).to_have_value(before)
    assert page.evaluate("window.stillHere") is True, "the app is not loaded again, so that full screen stays"


def test_drawer_spotlight_and_pen(present: Callable[..., Page]) -> None:
    page = present("/kernel_regression", 1024, 768)
    sidebar = page.locator(".st-key-kr_regenerate button").first
    expect(page.locator(f"{BAR} .controls")).to_be_visible()
    expect(sidebar).to_be_hidden()
    page.keyboard.press("c")
    expect(sidebar).to_be_visible()
    left, _, width, _ = still(page, lambda: box(page.locator(".st-key-kr_stage")), 300)
    assert left + width <= box(page.locator("[data-testid=stSidebar]"))[0], "the picture yields to the drawer"
    page.keyboard.press("c")
    expect(sidebar).to_be_hidden()
    page.keyboard.press("s")
    expect(page.locator(".spotlight")).to_be_visible()
    page.keyboard.press("s")
    expect(page.locator(".spotlight")).to_be_hidden()
    page.keyboard.press("p")
    page.mouse.move(300, 300)
    page.mouse.down()
    page.mouse.move(500, 400, steps=4)
    page.mouse.up()
    expect(page.locator(".pen path")).to_have_count(1)
    page.keyboard.press("w")
    expect(page.locator(".pen path")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Shortcuts on this page")).to_contain_text("PageDown")
    page.keyboard.press("Escape")
    page.keyboard.press("q")
    code = page.get_by_label("Link to this page")
    expect(code).to_be_visible()
    assert "present" not in code.input_value()


def test_on_a_small_projector_nothing_is_cut(present: Callable[..., Page]) -> None:
    page = present("/kernel_regression", 1024, 768)
    buttons = [box(each) for each in page.locator(f"{BAR} :is(button, select)").all()]
    ends = [left + width for left, _, width, _ in buttons]
    assert all(end <= left + 1 for end, (left, *_) in zip(ends, buttons[1:], strict=False)), "nothing overlaps"
    assert ends[-1] <= 1024
    _, top, _, height = still(page, lambda: box(page.locator(".st-key-kr_stage")), 300)
    assert top + height <= 768, "the picture ends above the fold"
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize(("path", "last"), LAST.items())
def test_a_view_fits_large_and_small_projectors(present: Callable[..., Page], path: str, last: str) -> None:
    page = present(path)
    words_are_large(page, last)
    for width, height in ((1920, 1080), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        _, top, _, tall = still(page, lambda: box(page.locator(last)), 300)
        assert top + tall <= height, "it ends above the fold"
        assert page.evaluate(CUT) == page.evaluate(CUT_FORMULAS) == []
    for words in (f"{BAR} h1", f"{BAR} select"):
        assert page.locator(words).evaluate("each => each.scrollWidth <= each.clientWidth + 1"), "nothing is cut"
