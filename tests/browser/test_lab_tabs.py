"""The tabs of the lab as a student meets them: they move with the drag, and the curve of errors sets the width."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from attention_core.data import generate
from attention_core.regression.selection import loo_losses
from tests.browser.conftest import SETTLED
from tests.browser.gestures import box, handle, messages, still

SHOWN = ".st-key-{} .picture"


def opened(open_page: Callable[..., Page], tab: str, picture: str) -> Page:
    page = open_page(f"/kernel_regression?kr_tab={tab}&kr_query=1.5")
    for key in ("kr_stage", picture):
        expect(page.locator(SHOWN.format(key))).to_have_attribute("data-frame", re.compile(r"\d+"))
    return page


def drag(page: Page, by: float) -> None:
    """Take the handle of the width and move it, without letting it go."""
    x, y = handle(page, "kr_width")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y, steps=20)


def frames(page: Page, key: str) -> tuple[str | None, str | None]:
    stage, tab = (page.locator(SHOWN.format(each)) for each in ("kr_stage", key))
    return stage.get_attribute("data-frame"), tab.get_attribute("data-frame")


def test_one_query_moves_with_the_drag_and_what_waits_says_so(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, "one_query", "kr_lens")
    bars, readout = page.locator(".st-key-kr_lens path.bars").first, page.locator(".st-key-kr_lens .readouts b").first
    before, told, heard = bars.get_attribute("d") or "", readout.inner_text(), messages(page)
    waits = page.locator(".st-key-kr_width_waits")
    assert waits.get_attribute("data-waiting") is None
    drag(page, 120)
    expect(bars).not_to_have_attribute("d", before)
    expect(readout).not_to_have_text(told)
    expect(waits).to_have_attribute("data-waiting", "")
    assert len(set(frames(page, "kr_lens"))) == 1
    assert heard == [], "the drag must not wait for the server"
    page.mouse.up()
    expect(waits).not_to_have_attribute("data-waiting", "")


def test_the_curve_of_errors_follows_the_drag_and_sets_the_width(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, "which_width", "kr_errors")
    graph, ball = page.locator(".st-key-kr_errors svg.graph"), page.locator(".st-key-kr_errors circle.ball")
    start = ball.get_attribute("cx") or ""
    drag(page, 120)
    expect(ball).not_to_have_attribute("cx", start)
    page.mouse.up()
    expect(page).to_have_url(re.compile("kr_width="))
    page.wait_for_selector(SETTLED)
    heard = messages(page)
    graph.scroll_into_view_if_needed()
    left, top, width, height = box(graph)
    page.mouse.move(left + width * 0.3, top + height / 2)
    page.mouse.down()
    page.mouse.move(left + width * 0.66, top + height / 2, steps=20)
    thumb = page.locator(".st-key-kr_width [data-testid=stSliderThumbValue]")
    expect(page.locator(".st-key-kr_errors .tooltip")).to_be_visible()
    assert len(set(frames(page, "kr_errors"))) == 1, "the main picture goes along"
    assert heard == [], "the drag must not wait for the server"
    chosen, error = re.findall(r"[\d.]+$|[\d.]+(?= ·)", page.locator(".st-key-kr_errors .tooltip").inner_text())
    page.mouse.up()
    expect(page).to_have_url(re.compile(rf"kr_width={re.escape(chosen)}\b"))
    expect(thumb).to_contain_text(f"σ {chosen} ")
    assert f"{loo_losses(generate(), [float(chosen)]).item():.6g}" == error


def test_bias_and_variance_move_with_the_drag(open_page: Callable[..., Page]) -> None:
    page = opened(open_page, "bias_variance", "kr_bias")
    parts = [page.locator(f".st-key-kr_bias {part}") for part in ("path.band", "circle.ball", ".readouts")]
    read = "part => part.getAttribute('d') ?? part.getAttribute('cx') ?? part.textContent"
    before, heard = [part.evaluate(read) for part in parts], messages(page)
    drag(page, 120)
    expect(parts[2]).not_to_have_text(before[2])
    assert all(part.evaluate(read) != then for part, then in zip(parts, before, strict=True))
    assert heard == []
    page.mouse.up()
    a_tab_comes_into_sight_with_the_picture(page)


def a_tab_comes_into_sight_with_the_picture(page: Page) -> None:
    """On a small laptop: the picture yields to what the tab shows, and has its room again once that is closed."""
    page.set_viewport_size({"width": 1280, "height": 720})
    tab = page.locator(".st-key-kr_tab [role=radio]").nth(2)
    tab.click()
    plot, graph = (page.locator(each).first for each in (".st-key-kr_stage svg.plot", ".st-key-kr_errors svg.graph"))
    for part in (page.locator(".st-key-kr_width"), plot, graph):
        expect(part, "showOpenTab in pictures/js/streamlit.js").to_be_in_viewport(ratio=1)
    small, graph_top = still(page, lambda: box(plot), 300), box(graph)[1]
    _, top, _, height = box(page.locator(".st-key-kr_width"))
    assert top + height <= small[1] < small[1] + small[3] <= graph_top, "nothing covers the picture"
    tab.click()
    assert still(page, lambda: box(plot), 300)[3] > small[3] + 100
