"""What follows a slider only once it is released is dimmed while it is dragged, and right again afterwards."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import SETTLED
from tests.browser.gestures import box, handle, still

# Link, slider, and the container that waits.
WAITS = [
    ("/kernel_regression?kr_tab=time", "kr_width", "kr_width_waits_time"),
    ("/multihead", "multihead_share", "multihead_share_waits"),
    ("/self_attention?sa_tab=positions", "sa_offset", "sa_offset_waits"),
    ("/heatmaps", "heatmaps_sharpness", "heatmaps_sharpness_waits"),
    ("/heatmaps", "heatmaps_row", "heatmaps_row_waits"),
    ("/heatmaps?heatmaps_source=own&heatmaps_sample=true", "heatmaps_row", "heatmaps_row_waits"),
    ("/qkv?qkv_hard=true", "qkv_temperature", "qkv_temperature_waits_words"),
    ("/qkv?qkv_hard=true", "qkv_temperature", "qkv_temperature_waits_picture"),
]


def said(page: Page, waits: Locator) -> list[str]:
    """The words and lines inside, once they have come to rest."""
    read = "all => all.map((each) => each.textContent + each.getAttribute('d'))"
    found: list[str] = still(page, lambda: waits.locator("p, td, path").evaluate_all(read))
    return found


def check(page: Page, waits: Locator, drag: Callable[[], None]) -> None:
    """What waits is dimmed from the first move to the answer, which says something else."""
    expect(waits).to_be_attached()
    expect(waits).not_to_have_attribute("data-waiting", "")
    before = said(page, waits)
    drag()
    expect(waits).to_have_attribute("data-waiting", "")
    page.mouse.up()
    expect(waits).not_to_have_attribute("data-waiting", "")
    page.wait_for_selector(SETTLED)
    expect(waits).not_to_have_attribute("data-waiting", "")
    assert said(page, waits) != before


@pytest.mark.parametrize(("link", "slider", "container"), WAITS)
def test_what_waits_for_a_slider_says_so(
    open_page: Callable[..., Page], link: str, slider: str, container: str
) -> None:
    page = open_page(link)

    def drag() -> None:
        (left, _, width, _), (x, y) = box(page.locator(f".st-key-{slider}")), handle(page, slider)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + width * (0.3 if x < left + width / 2 else -0.3), y, steps=10)

    check(page, page.locator(f".st-key-{container}"), drag)


def test_samples_wait_for_a_dragged_query_and_a_dragged_key_too(open_page: Callable[..., Page]) -> None:
    page = open_page("/qkv?qkv_hard=true")
    waits = page.locator(".st-key-qkv_temperature_waits_words")
    for sign in (".handle .pin", ".key"):

        def drag(sign: str = sign) -> None:
            x, y, width, height = box(page.locator(f".st-key-qkv_diagram svg.keys {sign}").first)
            page.mouse.move(x + width / 2, y + height / 2)
            page.mouse.down()
            page.mouse.move(x + width / 2 + 90, y + height / 2, steps=10)

        check(page, waits, drag)


def test_how_the_time_grows_is_told_of_the_width_that_was_chosen(open_page: Callable[..., Page]) -> None:
    page = open_page("/kernel_regression?kr_tab=time")
    told = page.get_by_text("with Gaussians of width")
    expect(told).to_contain_text("with Gaussians of width 1:")
    page.locator(".st-key-kr_width [role=slider], .st-key-kr_width input[type=range]").first.press("ArrowRight")
    expect(told).to_contain_text("with Gaussians of width 0.944:")
