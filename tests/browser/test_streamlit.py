"""What attention_ui/pictures/js/streamlit.js takes for granted about Streamlit's page; each failure names its use."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from attention_ui import seams
from tests.browser.conftest import SETTLED
from tests.browser.gestures import handle

SEAMS = "attention_ui/pictures/js/streamlit.js"
SLIDER = ".st-key-kr_width input[type=range]"
# Where each name of seams.INNER is looked for.
INNER = {
    "/kernel_regression": ("SliderTrack", "SliderThumb", "Switch", "Chosen"),
    "/kernel_regression?kr_linear=true": ("SwitchThatIsOn",),
    "/kernel_regression?kr_tab=code": ("CodeToken",),
    "/bahdanau?bahdanau_tab=train": ("PrimaryButton",),
    "/self_attention?sa_tab=positions": ("Tag",),
}

# What is looked for on the lab's page, once or at least so often: who looks, and what it means that it is not so.
ONCE = {
    ".st-key-kr_stage": "keyOf, homeOf and classOf: Streamlit no longer makes the class st-key-KEY of a key",
    SLIDER: "followSlider: a native slider holds no range input any more",
    "[data-testid=stMain]": "mainPart: the page beside the menu has no test id stMain any more",
    ".st-key-kr_width [data-testid=stWidgetLabel] [data-testid=stMarkdownContainer]": (
        "labelOf: the label of a widget is not in stWidgetLabel and stMarkdownContainer any more"
    ),
}
OFTEN = {
    "[class*='_regenerate'] button:enabled": (
        1,
        "regenerateButtons: the button of new data is not inside the container of its key",
    ),
    ".st-key-kr_tab button [data-testid=stMarkdownContainer]": (
        2,
        "labelOf: the choices of a segmented control are not in stMarkdownContainer any more",
    ),
}


@pytest.fixture
def lab(open_page: Callable[..., Page]) -> Page:
    """The lab, once its picture is drawn."""
    page = open_page("/kernel_regression")
    page.locator(".st-key-kr_stage .picture[data-frame]").wait_for()
    return page


def test_what_is_looked_for_is_there(lab: Page) -> None:
    wrong = [meaning for selector, meaning in ONCE.items() if lab.locator(selector).count() != 1]
    wrong += [meaning for selector, (least, meaning) in OFTEN.items() if lab.locator(selector).count() < least]
    assert wrong == [], SEAMS


def test_the_range_input_of_a_slider_moves_while_it_is_dragged(lab: Page) -> None:
    for slider, waits in {"kr_width": False, "kr_noise": True}.items():
        home, value = lab.locator(f".st-key-{slider}"), lab.locator(f".st-key-{slider} input[type=range]")
        before, tells = value.input_value(), re.compile("Release" if waits else "none|normal")
        x, y = handle(lab, slider)
        lab.mouse.move(x, y)
        lab.mouse.down()
        lab.mouse.move(x + 60, y)
        moved = value.input_value()
        expect(home, f"tellWhatWaits in {SEAMS}").to_have_css("content", tells, pseudo="after")
        lab.mouse.up()
        assert moved != before, f"followSlider in {SEAMS}: the range input of a slider stays while it is dragged"
        expect(home).not_to_have_attribute("data-released-only", re.compile(""))


def test_a_slider_goes_where_its_range_input_is_set(lab: Page) -> None:
    """As a click on the curve of errors does (tests/browser/test_lab_tabs.py), and without a word to the server."""
    thumb = lab.locator(".st-key-kr_width [data-testid=stSliderThumbValue]")
    before, address = thumb.inner_text(), lab.url
    lab.locator(SLIDER).evaluate(
        """input => {
            Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, +input.value + 20);
            input.dispatchEvent(new Event("input", { bubbles: true }));
        }"""
    )
    lab.wait_for_timeout(200)
    assert thumb.inner_text() != before, f"followSlider in {SEAMS}: a slider no longer hears its range input"
    assert lab.url == address


def test_a_tooltip_takes_no_click(lab: Page) -> None:
    lab.locator(".st-key-kr_regenerate button").first.hover()
    tooltip = lab.locator("[data-testid=stTooltipContent]")
    tooltip.wait_for()
    takes = tooltip.evaluate("shown => getComputedStyle(shown).pointerEvents")
    assert takes == "none", "frame/frame.css: a tooltip covers what stands above its button and takes its clicks"


def test_streamlits_dialogs_have_the_role_of_one(lab: Page) -> None:
    lab.locator(".st-key-share button").click()
    lab.get_by_role("button", name="Copy link").wait_for()
    found = lab.evaluate("document.querySelectorAll('[role=dialog], [role=alertdialog]').length")  # ours is in a shadow
    assert found >= 1, f"dialogs in {SEAMS}: st.dialog has no role of a dialog any more, so our keys would act under it"


def test_a_value_in_the_link_goes_through_push_state(lab: Page) -> None:
    lab.locator(".st-key-keys button.open").wait_for()  # its script has changed the history by then
    lab.evaluate(
        """() => {
            const ours = history.pushState;
            window.pushed = 0;
            history.pushState = (...all) => (window.pushed++, ours(...all));
            history.pushState.perPage = ours.perPage;
        }"""
    )
    ours = lab.evaluate("history.pushState.perPage")
    assert ours is True, f"oneStepPerPage in {SEAMS} is not in place: Back would walk through each position of a slider"
    lab.locator(SLIDER).press("ArrowRight")
    lab.wait_for_function("() => location.search.includes('kr_width')")
    pushed = lab.evaluate("window.pushed")
    assert pushed > 0, f"oneStepPerPage in {SEAMS}: Streamlit no longer calls history.pushState for a value in the link"


def test_a_formula_that_scrolls_can_be_focused(lab: Page) -> None:
    lab.wait_for_selector(".katex-display", state="attached")
    found = "[...document.querySelectorAll('.katex-display')].filter(each => each.scrollWidth > each.clientWidth)"
    assert lab.evaluate(f"{found}.length") == 0, "frame/frame.css: a formula that fits is no stop of the Tab key"
    lab.set_viewport_size({"width": 240, "height": 900})
    lab.wait_for_function(f"() => {found}.length && {found}.every(each => each.tabIndex === 0)")


def test_a_browser_on_a_slow_line_keeps_what_the_server_counts_on(context: BrowserContext, server: str) -> None:
    page, lines, late = context.new_page(), list[WebSocketRoute](), list[bytes | str]()
    slow = False

    def between(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server().on_message(lambda message: late.append(message) if slow else line.send(message))

    page.route_web_socket(re.compile("/_stcore/stream"), between)
    page.goto(f"{server}/kernel_regression")
    page.locator(".st-key-kr_stage .picture[data-frame]").wait_for()
    page.wait_for_selector(SETTLED)
    slow = True
    for runs, kernel in enumerate(("Boxcar", "Triangular", "Tricube", "Laplace", "Gaussian"), 1):
        page.locator(".st-key-kr_kernel").get_by_role("radio", name=kernel).click(force=True)
        while sum(ForwardMsg.FromString(message).HasField("script_finished") for message in late) < runs:
            page.wait_for_timeout(20)
    slow = False
    for message in late:
        lines[-1].send(message)
    complaint = page.get_by_role("dialog")
    expect(page.locator(SETTLED).or_(complaint)).to_be_visible()
    expect(complaint, "maxCachedMessageAge in .streamlit/config.toml").to_have_count(0)
    page.close()


@pytest.mark.parametrize("link", INNER)
def test_what_is_inside_a_part_is_where_styles_look_for_it(open_page: Callable[..., Page], link: str) -> None:
    page = open_page(link)
    for name in INNER[link]:
        inside = page.locator(seams.styled(f":inner({name})")).first
        expect(inside, f"{name} of INNER in attention_ui/seams.py has moved").to_be_attached()


def test_every_name_of_inner_is_looked_for() -> None:
    assert {name for names in INNER.values() for name in names} == set(seams.INNER)


def test_the_large_slider_is_large_and_names_its_ends(open_page: Callable[..., Page]) -> None:
    page, moved = open_page("/"), "big_slider_style in attention_ui/seams.py: the slider's parts have moved"
    home = page.locator(".st-key-home_width")
    size = home.locator(seams.styled("div:has(> :st(SliderThumbValue))")).bounding_box()
    assert size is not None, moved
    assert size["width"] > 28, moved
    for place, word in (("first", "blurred: "), ("last", "sharp: ")):
        end = home.locator(seams.styled(f":st(SliderTickBar) > :{place}-child p"))
        expect(end, moved).to_have_css("content", f'"{word}"', pseudo="before")


def test_code_that_scrolls_can_be_focused_and_a_place_for_files_is_a_group(open_page: Callable[..., Page]) -> None:
    page, moved = open_page("/kernel_regression?kr_tab=code"), f"reachWhatScrolls in {SEAMS}"
    page.set_viewport_size({"width": 240, "height": 900})
    expect(page.locator("[data-testid=stCode] pre"), moved).to_have_attribute("tabindex", "0")
    page = open_page("/heatmaps?heatmaps_source=own")
    expect(page.locator("[data-testid=stFileUploaderDropzone]"), moved).to_have_attribute("role", "group")
