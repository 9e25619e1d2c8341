"""The stage as a student meets it: drag, hover, pin, switch lines off, by mouse and by keyboard."""

import math
import re
from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Browser, Page, expect

from attention_core.data import generate, query_grid
from attention_core.pooling import kernel_pool
from attention_core.regression.local_linear import local_linear
from attention_core.regression.prediction import predict
from tests.browser.gestures import box, finger, handle, messages

LAB = "/kernel_regression"
STAGE = ".st-key-kr_stage .picture"
PREDICTION = f"{STAGE} path.prediction"
HEATMAP = f"{STAGE} .cells svg"
CURVE = f"{STAGE} .panel >> nth=0 >> svg.plot"
TOOLTIP = f"{STAGE} .tooltip"
SLIDER = ".st-key-kr_width input[type=range]"

samples, queries = generate(), query_grid()


@pytest.fixture
def lab(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Open the lab and wait until the stage has drawn."""

    def open_lab(query: str = "") -> Page:
        page = open_page(LAB + query)
        expect(page.locator(STAGE)).to_have_attribute("data-frame", re.compile(r"\d+"))
        return page

    return open_lab


def picture(page: Page) -> list[int]:
    """One number per cell of the heatmap: its red."""
    return page.locator(f"{STAGE} canvas").evaluate(
        """canvas => Array.from(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data)
                          .filter((_, i) => i % 4 === 0)"""
    )


def cell(page: Page, row: int, column: int, columns: int = 50) -> tuple[float, float]:
    """Where a cell of the heatmap lies on the page."""
    left, top, width, height = box(page.locator(f"{STAGE} canvas"))
    return left + (column + 0.5) * width / columns, top + (row + 0.5) * height / 50


def test_a_drag_moves_both_pictures_without_a_word_to_the_server(lab: Callable[..., Page]) -> None:
    page = lab()
    heard = messages(page)
    curve, heat = page.locator(PREDICTION).get_attribute("d"), picture(page)
    x, y = handle(page, "kr_width")
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(240):
        page.mouse.move(x + 200 * math.sin(step / 40), y)
    page.mouse.move(x + 200, y)
    expect(page.locator(PREDICTION)).not_to_have_attribute("d", curve or "")
    assert picture(page) != heat
    draws = int(page.locator(STAGE).get_attribute("data-draws") or 0)
    assert draws > 60, "a picture now and then is not a drag"
    assert heard == [], "the drag must not wait for the server"
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"kr_width=0\.\d+"))
    assert heard, "the release must be told"


def test_the_curve_is_torchs_own(lab: Callable[..., Page]) -> None:
    """Read the path back through the axis ticks and compare it with predict."""
    page = lab("?kr_width=0.251")
    path = page.locator(PREDICTION).get_attribute("d") or ""
    drawn = [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+),(-?[\d.]+)", path)]
    scale = page.locator(f"{CURVE} >> text.tick").evaluate_all(
        "all => all.map(t => [t.textContent, ...['x', 'y', 'text-anchor'].map(name => t.getAttribute(name))])"
    )
    (x0, at0), *_, (x1, at1) = [(float(value), float(x)) for value, x, _, anchor in scale if anchor == "middle"]
    (y0, up0), *_, (y1, up1) = [(float(value), float(y) - 5) for value, _, y, anchor in scale if anchor == "end"]
    for x, y in drawn[:: len(drawn) // 20]:
        query = x0 + (x - at0) / (at1 - at0) * (x1 - x0)
        value = y0 + (y - up0) / (up1 - up0) * (y1 - y0)
        expected = predict(torch.tensor([query], dtype=torch.float64), *samples, 0.251).item()
        assert value == pytest.approx(expected, abs=0.03)


def test_colours_stay_the_same_through_the_drag_unless_they_are_stretched(lab: Callable[..., Page]) -> None:
    page = lab("?kr_width=0.251")
    largest = kernel_pool(queries, *samples, 0.251).weights.max().item()
    expect(page.locator(HEATMAP)).to_have_attribute("aria-label", re.compile(f"the largest is {largest:.3g}"))
    expect(page.locator(CURVE)).to_have_attribute(
        "aria-label", re.compile(r"50 samples: it runs from [\d.]+ to [\d.]+")
    )
    assert max(bar(page)) == 1
    assert min(bar(page)) == 0
    pale = min(picture(page))
    page.get_by_role("checkbox", name="stretch").check()
    expect(page).to_have_url(re.compile("kr_stretch=true"))
    assert max(bar(page)) == pytest.approx(largest, rel=5e-3)
    assert min(picture(page)) < pale, "the largest weight is as dark as can be"
    page.reload()
    expect(page.get_by_role("checkbox", name="stretch")).to_be_checked()


def bar(page: Page) -> list[float]:
    """The numbers beside the colour bar."""
    return [float(text) for text in page.locator(f"{STAGE} .bar text").all_text_contents() if text]


def test_hovering_a_cell_tells_the_exact_weight_and_lights_its_query(lab: Callable[..., Page]) -> None:
    page = lab("?kr_width=0.251")
    output, weights = kernel_pool(queries, *samples, 0.251)
    page.evaluate("() => sessionStorage.clear()")  # a visit of its own
    page.reload()
    expect(page.locator(f"{STAGE} .hint")).to_be_visible()
    page.mouse.move(*cell(page, 20, 26))
    expect(page.locator(TOOLTIP)).to_have_text(
        f"query 2 · key {samples.x[26]:.3g} · weight {weights[20, 26]:.4f} · output {output[20]:.4g}"
    )
    expect(page.locator(f"{STAGE} line.query")).to_have_attribute("visibility", "visible")
    sizes = page.locator(f"{STAGE} .points circle").evaluate_all("all => all.map(c => +c.getAttribute('r'))")
    assert sizes[int(weights[20].argmax())] == max(sizes)
    assert max(sizes) > 2 * min(sizes)
    bell = page.locator(f"{STAGE} path.bell")
    expect(bell).to_have_attribute("visibility", "visible")
    shape = bell.get_attribute("d") or ""
    page.locator(SLIDER).focus()
    page.keyboard.press("ArrowLeft")
    expect(bell).not_to_have_attribute("d", shape)
    page.mouse.move(5, 5)
    expect(page.locator(f"{STAGE} .hint")).to_have_count(0)
    expect(page.locator(TOOLTIP)).to_be_hidden()
    expect(page.locator(f"{STAGE} line.query")).to_have_attribute("visibility", "hidden")


def test_hovering_the_curve_lights_the_row(lab: Callable[..., Page]) -> None:
    page = lab()
    left, top, width, height = box(page.locator(CURVE))
    page.mouse.move(left + width / 2, top + height / 2)
    expect(page.locator(f"{STAGE} rect.row")).to_have_attribute("visibility", "visible")
    expect(page.locator(TOOLTIP)).to_have_text(re.compile(r"^query [\d.]+ · output [\d.]+$"))


def test_a_click_pins_the_query_into_the_link_and_a_second_lets_it_go(lab: Callable[..., Page]) -> None:
    page = lab()
    page.mouse.click(*cell(page, 12, 10))
    expect(page).to_have_url(re.compile(r"kr_query=1\.2\b"))
    page.mouse.move(5, 5)
    expect(page.locator(f"{STAGE} line.query")).to_have_attribute("visibility", "visible")
    page.mouse.click(*cell(page, 12, 30))
    expect(page).not_to_have_url(re.compile("kr_query"))


def test_the_keyboard_reaches_every_weight(lab: Callable[..., Page]) -> None:
    page = lab("?kr_width=0.251&kr_query=1")
    _, weights = kernel_pool(queries, *samples, 0.251)
    page.locator(HEATMAP).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(TOOLTIP)).to_contain_text(f"weight {weights[11, 24]:.4f}")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"kr_query=1\.1\b"))
    page.keyboard.press("Escape")
    expect(page).not_to_have_url(re.compile("kr_query"))


def test_the_main_picture_fits_the_first_screen_and_its_legend_switches_lines(lab: Callable[..., Page]) -> None:
    page = lab()
    for part in (SLIDER, CURVE, HEATMAP):
        _, top, _, height = box(page.locator(part))
        assert top + height <= 900
    for name, mark in (("Truth", "path.truth"), ("Average pooling", "path.average"), ("Samples", ".points")):
        button = page.locator(f"{STAGE} .legend button", has_text=name)
        button.click()
        expect(page.locator(f"{STAGE} {mark}")).to_have_css("display", "none")
        expect(button).to_have_attribute("aria-pressed", "false")
        button.click()
        expect(page.locator(f"{STAGE} {mark}")).not_to_have_css("display", "none")


def test_a_local_line_tells_its_own_largest_weight(lab: Callable[..., Page]) -> None:
    page = lab("?kr_width=0.501&kr_linear=true")
    largest = local_linear(queries, *samples, 0.501).weights.max().item()
    expect(page.locator(HEATMAP)).to_have_attribute("aria-label", re.compile(f"the largest is {largest:.3g}"))


def test_an_experiment_that_is_left_ends_quietly_and_can_be_run_again(lab: Callable[..., Page]) -> None:
    page = lab("?kr_tab=more_data")
    run, tabs = page.get_by_role("button", name="Run the experiment"), page.locator(".st-key-kr_tab")
    run.click()
    expect(page.get_by_role("progressbar").first).to_be_visible()
    tabs.get_by_text("The code", exact=True).click()
    expect(page.locator("[data-testid=stCode]").first).to_be_visible()
    tabs.get_by_text("More data", exact=True).click()
    run.click()
    expect(page.get_by_text(re.compile(r"\d{3} points done"))).to_be_visible(timeout=30_000)
    page.locator(".st-key-kr_more_stop button").click()
    expect(page.locator(".st-key-kr_more_stop")).to_have_count(0)
    expect(page.locator(".st-key-kr_more_picture svg.plot")).to_be_visible()
    run.click()  # while the link holds the name of what was found before
    expect(page.get_by_text(re.compile(r"\d,000 points done"))).to_be_visible()
    page.locator(".st-key-kr_more_stop button").click()


def test_on_a_phone_it_stacks_follows_a_finger_and_nothing_scrolls_sideways(phone: Page, server: str) -> None:
    phone.goto(server + LAB)
    expect(phone.locator(STAGE)).to_have_attribute("data-frame", re.compile(r"\d+"))
    curve, heat = phone.locator(CURVE).bounding_box(), phone.locator(HEATMAP).bounding_box()
    assert curve is not None
    assert heat is not None
    assert heat["y"] > curve["y"] + curve["height"] - 1
    main = phone.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth - e.clientWidth") <= 1
    heard, before, (x, y) = messages(phone), picture(phone), handle(phone, "kr_width")
    with finger(phone, x, y) as move:
        for step in range(1, 11):
            move(x + 12 * step, y)
        expect(phone.locator(f"{STAGE} .readouts b").first).not_to_have_text("0.4276")
        assert picture(phone) != before
        assert heard == [], "the drag must not wait for the server"
    expect(phone).to_have_url(re.compile(r"kr_width=0\.\d+"))


def test_it_is_crisp_on_a_high_density_screen_and_redraws_when_resized(browser: Browser, server: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, device_scale_factor=2)
    page = context.new_page()
    page.goto(server + LAB)
    expect(page.locator(STAGE)).to_have_attribute("data-frame", re.compile(r"\d+"))
    canvas = page.locator(f"{STAGE} canvas")
    expect(canvas).to_have_css("image-rendering", "pixelated")
    assert canvas.evaluate("c => [c.width, c.height]") == [50, 50], "one pixel per weight, enlarged without smoothing"
    before = page.locator(PREDICTION).get_attribute("d") or ""
    page.set_viewport_size({"width": 1100, "height": 900})
    expect(page.locator(PREDICTION)).not_to_have_attribute("d", before)
    edges = page.locator(f"{STAGE} svg.plot").evaluate_all("all => all.map(each => each.getBoundingClientRect().right)")
    assert max(edges) <= 1101
    context.close()


def test_without_the_sliders_inner_input_it_redraws_on_commit(page: Page, lab: Callable[..., Page]) -> None:
    """The input is Streamlit's own affair: where a version hides it, the picture follows the committed value."""
    page.add_init_script(
        """
        const find = Document.prototype.querySelector;
        Document.prototype.querySelector = function (what) {
            return what.includes("input[type=range]") ? null : find.call(this, what);
        };
        """
    )
    lab()
    before = int(page.locator(STAGE).get_attribute("data-frame") or 0)
    page.locator(SLIDER).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(STAGE)).to_have_attribute("data-frame", str(before + 1))
    expect(page).to_have_url(re.compile(r"kr_width="))
    page.close()  # its script would stay for the tests that follow
