"""Access, on every page: a visible focus, and in every view what axe asks for, pictures told in words, all in sight."""

import json
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, TimeoutError, ViewportSize, expect

from attention_ui.contents import CHAPTERS, HOME, Chapter
from tests.browser.conftest import POCKET

MEASURES = (Path(__file__).parent / "access.js").read_text("utf-8")
# What Streamlit draws so, and no page of ours can change: the rule, and where it is not applied.
STREAMLITS = {
    "color-contrast": ":not(label[disabled] *)",  # the name of a disabled slider, which WCAG exempts
}
RULES = {"rules": [{"id": rule, "selector": selector} for rule, selector in STREAMLITS.items()]}
AXE = Axe(f"{AXE_SCRIPT}\naxe.configure({json.dumps(RULES)});")
# Its script is on the page already; of what it would load ahead, its rules that are on need sound and films alone.
RUN = "axe.run(%s, { resultTypes: ['violations'], iframes: false, preload: { assets: ['media'] } })"
EVERYTHING, VIEW = "document", "'[data-testid=stMainBlockContainer]'"
SECONDS = 10
LAPTOP: ViewportSize = {"width": 1280, "height": 720}
DRAWN = """<html lang="en"><title>Drawn</title><main data-testid="stMain" class="stApp"><h1>Drawn</h1>
<svg role="img" aria-label="1"><text y="20" fill="#999">pale</text></svg>
<svg role="img" aria-label="2"><rect width="99" height="99" fill="#222"/><text x="9" y="20">buried</text></svg>
<svg role="img" aria-label="3"><rect width="99" height="99" fill="#222"/><text y="20" fill="#fff">clear</text></svg>
<svg role="img" aria-label="4" opacity="0.5"><text y="20">faded</text></svg><p style="color: #999">written</p></main>"""
every_page = pytest.mark.parametrize("chapter", [HOME, *CHAPTERS], ids=lambda chapter: chapter.name)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MOST_STOPS = 70  # of the Tab key


def check_focus(page: Page) -> None:
    """The Tab key comes round, and what it stops at in our components has a ring that is seen."""
    stops = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("access.stepped()"))
        if stops[-1]["again"]:
            break
    assert stops[-1]["again"] >= len(stops) - 2, f"caught at {stops[-1]}"
    ours = [stop for stop in stops if stop["ours"]]
    assert any("keyboard shortcuts" in stop["where"].lower() for stop in ours)
    beside = [stop["beside"] for stop in stops[:-1]]
    assert beside == sorted(beside), "the sidebar stands at the right, so the Tab key comes to it last"
    tools = [stop["left"] for stop in stops[:-1] if stop["tool"]]
    assert len(tools) >= 3
    assert tools == sorted(tools), "in the order in which they stand"
    assert [stop for stop in ours if stop["ring"]["width"] < 2 or stop["ring"]["contrast"] < 3] == []


def check_nothing(page: Page, measure: str, where: str) -> None:
    """Wait until nothing is found any more: what is being drawn, or takes on a new theme, needs a moment."""
    try:
        page.wait_for_function(f"() => {measure}.length === 0", polling=200)
    except TimeoutError:
        pytest.fail(f"{where}: {page.evaluate(measure)}")


def check_axe(page: Page, where: str, part: str = EVERYTHING) -> None:
    """Wait until axe finds nothing any more, as above."""
    end = monotonic() + SECONDS
    while (found := AxeResults(page.evaluate(RUN % part))).violations_count:
        if monotonic() > end:
            pytest.fail(f"{where}: {found.generate_report()}")


def put_on(page: Page, theme: Literal["light", "dark"]) -> None:
    """Change the theme, and wait until Streamlit has."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"() => getComputedStyle(document.querySelector('.stApp')).colorScheme === '{theme}'")


def check_narrow(page: Page, where: str, tabs: list[Locator]) -> None:
    """Nothing is cut on a screen as narrow as a phone, in the view that is open and in those of these tabs."""
    page.set_viewport_size(POCKET)
    check_nothing(page, "access.cut()", f"{where}: cut on a phone")
    for tab in tabs:
        page.evaluate("access.watch()")
        tab.click()
        page.wait_for_function("() => access.ran()")
        check_nothing(page, "access.cut()", f"{where}, {tab.inner_text()}: cut on a phone")


@every_page
def test_focus_is_seen_words_stand_out_and_pictures_state_numbers(
    page: Page, open_page: Callable[..., Page], chapter: Chapter
) -> None:
    page.set_viewport_size(LAPTOP)
    open_page("/" if chapter is HOME else f"/{chapter.name}")
    expect(page.get_by_role("button", name="Keyboard shortcuts")).to_be_visible(timeout=30_000)
    page.evaluate(AXE.axe_script)
    page.evaluate(MEASURES)
    check_focus(page)
    switch = page.locator("[class*='_tab'] [role=radio]")
    views = range(max(1, switch.count()))
    order = (0, *views[1::2], *views[2::2])
    for i in order:  # one theme after the other: the first view ends in dark
        view = f"{chapter.name}, {switch.nth(i).inner_text()}" if i or switch.count() else chapter.name
        if i:  # in one theme, put on before: a chart that is being drawn may miss that the theme changes
            put_on(page, THEMES[i % 2])
            page.evaluate("access.watch()")
            switch.nth(i).click()
            page.wait_for_function("() => access.ran()")
        check_nothing(page, "access.low()", f"{view}: not in the first screen of a small laptop")
        check_nothing(page, "access.mute()", f"{view}: pictures without numbers")
        for theme in THEMES if not i else ("",):
            if theme == "dark":
                put_on(page, theme)
            check_nothing(page, "access.faint()", f"{view} {theme}: faint words in pictures")
            check_axe(page, f"{view} {theme}", VIEW if i else EVERYTHING)  # the frame is the same around all views
    check_narrow(page, chapter.name, [switch.nth(i) for i in order[:-1]])


def test_dialogs_are_as_accessible_as_pages(open_page: Callable[..., Page]) -> None:
    page = open_page("/kernel_regression")
    page.evaluate(AXE.axe_script)
    for name in ("Share", "Download", "Keyboard shortcuts"):
        page.get_by_role("button", name=name, exact=True).first.click()
        dialog = page.locator("[role=dialog]:visible, dialog:visible").first
        expect(dialog).to_be_visible()
        if name == "Download":
            expect(dialog.locator(".media figure canvas")).to_be_visible()
        for theme in reversed(THEMES):
            put_on(page, theme)
            check_axe(page, f"{name} {theme}")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


def test_words_too_faint_are_found(page: Page) -> None:
    page.set_content(DRAWN)
    assert [found["id"] for found in AXE.run(page).response["violations"]] == ["color-contrast"]
    page.evaluate(MEASURES)
    assert [found["text"] for found in page.evaluate("access.faint()")] == ["pale", "buried", "faded"]
