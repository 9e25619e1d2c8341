"""Points that are added by a click on the stage, by mouse and by finger."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.gestures import box

CURVE = ".st-key-kr_stage .panel >> nth=0 >> svg.plot"
POINTS = ".st-key-kr_stage .points circle"
IN_USE = "In use: 51 points, Wave, edited."


def test_a_click_adds_a_point_where_it_says_and_reset_takes_it_back(open_page: Callable[..., Page]) -> None:
    page = open_page("/kernel_regression")
    page.get_by_role("button", name="Add points").click()
    left, top, width, _ = box(page.locator(CURVE))
    page.mouse.move(left + width / 2, top + 60)
    tooltip = page.locator(".st-key-kr_stage .tooltip")
    expect(tooltip).to_have_text(re.compile(r"^click to add x [\d.]+ · y [\d.]+$"))
    said = [float(number) for number in re.findall(r"[\d.]+", tooltip.inner_text())]
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_text(IN_USE)).to_be_visible()
    expect(page.locator(POINTS)).to_have_count(51)
    expect(page).to_have_url(re.compile("kr_points="))
    assert "kr_query" not in page.url, "a click that adds does not pin as well"
    added = page.locator(POINTS).evaluate_all(
        "all => all.map(each => [+each.getAttribute('cx'), +each.getAttribute('cy')])"
    )
    assert read_back(page, said) == pytest.approx(
        min(added, key=lambda at: abs(at[0] - width / 2) + abs(at[1] - 60)), abs=1
    )
    expect(page.locator(".st-key-kr_stage path.truth")).to_have_count(1)  # an edited wave is still held against it
    page.get_by_role("button", name="Reset points").click()
    expect(page.locator(POINTS)).to_have_count(50)
    expect(page.get_by_role("button", name="Reset points")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("kr_points="))


def read_back(page: Page, sample: list[float]) -> list[float]:
    """The pixel of a sample by the picture's own ticks: from the numbers at two of them along either axis."""
    marks = page.locator(f"{CURVE} >> text.tick").evaluate_all(
        "all => all.map(t => [t.textContent, ...['x', 'y', 'text-anchor'].map(name => t.getAttribute(name))])"
    )
    across = [(float(value), float(x)) for value, x, _, anchor in marks if anchor == "middle"]
    upward = [(float(value), float(y) - 5) for value, _, y, anchor in marks if anchor == "end"]
    return [
        start + (number - low) / (high - low) * (end - start)
        for number, ((low, start), *_, (high, end)) in zip(sample, (across, upward), strict=True)
    ]


def test_beside_the_picture_nothing_is_added_and_the_heatmap_still_pins(open_page: Callable[..., Page]) -> None:
    page = open_page("/kernel_regression")
    page.get_by_role("button", name="Add points").click()
    left, top, _, height = box(page.locator(CURVE))
    page.mouse.click(left + 20, top + height / 2)  # on the axis
    left, top, width, height = box(page.locator(".st-key-kr_stage canvas"))
    page.mouse.click(left + width / 2, top + height / 2)
    expect(page).to_have_url(re.compile("kr_query="))
    expect(page.locator(POINTS)).to_have_count(50)


def test_a_finger_adds_points_one_after_another(browser: Browser, server: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{server}/kernel_regression")
    page.get_by_role("button", name="Add points").tap()
    for count, share in ((51, 0.4), (52, 0.6)):
        left, top, width, _ = box(page.locator(CURVE))
        page.touchscreen.tap(left + share * width, top + 60)
        expect(page.locator(POINTS)).to_have_count(count)
    expect(page.get_by_role("button", name="Add points")).to_have_attribute("aria-pressed", "true")
    context.close()


def test_where_no_more_can_be_added_clicks_pin_again(open_page: Callable[..., Page]) -> None:
    page = open_page("/kernel_regression?kr_n=499")
    page.get_by_role("button", name="Add points").click()
    left, top, width, height = box(page.locator(CURVE))
    page.mouse.click(left + width / 2, top + 60)
    expect(page.locator(POINTS)).to_have_count(500)
    expect(page.get_by_role("button", name="Add points")).to_have_count(0)
    page.mouse.click(left + width / 2, top + height / 2)
    expect(page).to_have_url(re.compile("kr_query="))


def test_where_a_lesson_hides_the_editor_no_points_can_be_added(open_page: Callable[..., Page]) -> None:
    page = open_page("/kernel_regression?lock=edit")
    expect(page.locator(POINTS)).to_have_count(50)
    expect(page.get_by_role("button", name="Add points")).to_have_count(0)
