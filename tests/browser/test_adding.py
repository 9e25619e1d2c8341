"""Points that are added, moved and removed on the stage, by mouse, by key and by finger."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.gestures import box, finger

CURVE = ".st-key-kr_stage .panel >> nth=0 >> svg.plot"
POINTS = ".st-key-kr_stage .points circle"
PREDICTION = ".st-key-kr_stage path.prediction"


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
    expect(page.locator(".st-key-kr_n")).to_be_visible()  # the controls stay as they are
    page.locator(".st-key-kr_stage").get_by_role("button", name="Reset points").click()
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


def places(page: Page) -> list[list[float]]:
    """Where the samples stand in the picture."""
    read = "all => all.map(each => [+each.getAttribute('cx'), +each.getAttribute('cy')])"
    found: list[list[float]] = page.locator(POINTS).evaluate_all(read)
    return found


def test_a_dragged_point_takes_the_prediction_along_and_a_key_or_two_clicks_remove_one(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/kernel_regression")
    expect(page.locator(".st-key-kr_stage .grips circle")).to_have_count(50)
    left, top, *_ = box(page.locator(CURVE))
    x, y = places(page)[25]
    before = page.locator(PREDICTION).get_attribute("d") or ""
    page.mouse.move(left + x, top + y)
    page.mouse.down()
    page.mouse.move(left + x + 20, top + y - 60, steps=5)
    expect(page.locator(PREDICTION)).not_to_have_attribute("d", before)  # while it is held
    assert "kr_points" not in page.url
    page.mouse.up()
    expect(page).to_have_url(re.compile("kr_points="))
    assert "kr_query" not in page.url, "a drag does not pin"
    expect(page.locator(POINTS)).to_have_count(50)
    page.keyboard.press("Control+z")
    expect(page).not_to_have_url(re.compile("kr_points="))
    expect(page.locator(PREDICTION)).to_have_attribute("d", before)
    for count, gone in ((49, 40), (48, 10)):
        x, y = places(page)[gone]
        if count == 49:
            page.mouse.click(left + x, top + y)
            page.keyboard.press("Delete")
        else:
            page.mouse.dblclick(left + x, top + y)
        expect(page.locator(POINTS)).to_have_count(count)
    assert "kr_query" not in page.url


def test_a_finger_adds_points_one_after_another_and_moves_one(browser: Browser, server: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{server}/kernel_regression")
    page.get_by_role("button", name="Add points").tap()
    for count, share in ((51, 0.4), (52, 0.6)):
        left, top, width, _ = box(page.locator(CURVE))
        page.touchscreen.tap(left + share * width, top + 60)
        expect(page.locator(POINTS)).to_have_count(count)
    expect(page.get_by_role("button", name="Add points")).to_have_attribute("aria-pressed", "true")
    link, (x, y) = page.url, places(page)[25]
    with finger(page, left + x, top + y) as move:
        for step in range(1, 9):
            move(left + x, top + y + 8 * step)
    expect(page).not_to_have_url(link)
    expect(page.locator(POINTS)).to_have_count(52)
    context.close()


def test_where_no_more_can_be_added_clicks_pin_again(open_page: Callable[..., Page]) -> None:
    page = open_page("/kernel_regression?kr_n=499")
    page.get_by_role("button", name="Add points").click()
    left, top, width, height = box(page.locator(CURVE))
    page.mouse.click(left + width / 2, top + 60)
    expect(page.locator(POINTS)).to_have_count(500)
    expect(page.get_by_role("button", name="Add points")).to_have_count(0)
    expect(page.locator(".st-key-kr_stage .offers.left")).not_to_be_empty()  # it says why, or offers the way back
    page.mouse.click(left + width / 2, top + height - 60)
    expect(page).to_have_url(re.compile("kr_query="))


def test_where_a_lesson_hides_the_editor_no_points_can_be_added(open_page: Callable[..., Page]) -> None:
    page = open_page("/kernel_regression?lock=edit")
    expect(page.locator(POINTS)).to_have_count(50)
    expect(page.locator(".st-key-kr_stage .offers.left")).to_have_text("This lesson locks the points.")
    expect(page.get_by_role("button", name="Add points")).to_have_count(0)
