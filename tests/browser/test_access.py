"""Access, on every page: a visible focus, and in every view words that stand out and pictures told in words."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from attention_ui.contents import CHAPTERS, HOME, Chapter

MEASURES = (Path(__file__).parent / "access.js").read_text("utf-8")
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
    assert any("keyboard shortcuts" in stop["where"] for stop in ours)
    assert [stop for stop in ours if stop["ring"]["width"] < 2 or stop["ring"]["contrast"] < 3] == []


def check_nothing(page: Page, measure: str, where: str) -> None:
    """Wait until nothing is found any more: what is being drawn, or takes on a new theme, needs a moment."""
    try:
        page.wait_for_function(f"() => {measure}.length === 0", polling=200)
    except TimeoutError:
        pytest.fail(f"{where}: {page.evaluate(measure)}")


def put_on(page: Page, theme: Literal["light", "dark"]) -> None:
    """Change the theme, and wait until Streamlit has."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"() => getComputedStyle(document.querySelector('.stApp')).colorScheme === '{theme}'")


@every_page
def test_focus_is_seen_words_stand_out_and_pictures_state_numbers(
    open_page: Callable[..., Page], chapter: Chapter
) -> None:
    page = open_page("/" if chapter is HOME else f"/{chapter.name}")
    expect(page.get_by_role("button", name="Keyboard shortcuts")).to_be_visible(timeout=30_000)
    page.evaluate(MEASURES)
    check_focus(page)
    switch = page.locator("[class*='_tab'] [role=radio]")
    for i in range(max(1, switch.count())):
        view = f"{chapter.name}, {switch.nth(i).inner_text()}" if i or switch.count() else chapter.name
        if i:  # in one theme, put on before: a chart that is being drawn may miss that the theme changes
            put_on(page, THEMES[i % 2])
            page.evaluate("access.watch()")
            switch.nth(i).click()
            page.wait_for_function("() => access.ran()")
        check_nothing(page, "access.mute()", f"{view}: pictures without numbers")
        check_nothing(page, "access.faint()", f"{view}: faint words")
        if not i:
            put_on(page, "dark")
            check_nothing(page, "access.faint()", f"{view}, dark: faint words")
