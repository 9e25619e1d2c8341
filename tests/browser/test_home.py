"""The first page as a visitor meets it: one drag changes both pictures, and the link keeps it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

CURVE = ".st-key-home_curve .scatterlayer .trace:last-child path.js-line"


def test_a_drag_changes_the_curve_and_the_link(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    curve = page.locator(CURVE).first  # a redrawn chart stands beside the old one for a moment
    before = curve.get_attribute("d")
    thumb = page.locator(".st-key-home_width [data-testid=stSliderThumbValue]").bounding_box()
    assert thumb is not None
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] + 6
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 300, y, steps=10)
    page.mouse.up()
    expect(curve).not_to_have_attribute("d", before or "")
    expect(page).not_to_have_url("/")
    assert "home_width=" in page.url


def test_a_link_opens_at_its_width(open_page: Callable[..., Page]) -> None:
    page = open_page("/?home_width=0.25")
    expect(page.locator(".st-key-home_width [data-testid=stSliderThumbValue]")).to_have_text("0.25")
