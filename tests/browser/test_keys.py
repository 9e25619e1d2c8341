"""Keys on the pages: space plays, arrows move the main slider, R regenerates, ? lists what works here."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import gestures
from tests.browser.conftest import SETTLED

STAGE = ".st-key-lw_stage .picture"
LEFT_ALONE = """() => {
  globalThis.taken = null;
  addEventListener("keydown", (event) => setTimeout(() => (globalThis.taken = event.defaultPrevented)));
}"""
SLIDER = ".st-key-kr_width input[type=range]"
LISTS = "() => document.querySelectorAll('.attention-lab-keys').length"


def ready(page: Page) -> Page:
    """The page, once it hears keys."""
    expect(page.get_by_role("button", name="Keyboard shortcuts")).to_be_visible(timeout=30_000)
    return page


def test_arrows_move_the_main_slider_and_r_regenerates(open_page: Callable[..., Page]) -> None:
    page = ready(open_page("/kernel_regression?kr_n=12"))
    slider = page.locator(SLIDER)
    expect(page.locator(".st-key-kr_stage .picture")).to_have_attribute("data-frame", slider.input_value())
    at = int(slider.input_value())
    page.keyboard.press("ArrowRight")  # the first one is ours, the next the browser's own
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value(str(at + 2))
    expect(slider).to_be_focused()
    expect(page.locator(".st-key-kr_stage .picture")).to_have_attribute("data-frame", str(at + 2))
    page.wait_for_url("**kr_width=*")

    seen = gestures.messages(page)
    page.keyboard.press("r")
    page.wait_for_url("**kr_seed=1*")
    expect(page.get_by_test_id("stNumberInputField")).to_have_value("1")

    field = page.get_by_test_id("stNumberInputField")
    field.focus()
    page.keyboard.press("r")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(field).to_have_value("1")
    sent = [frame for frame in seen if frame["response"]["mask"]]
    assert len(sent) == 1, "no rerun of Streamlit's own, and none for a letter in a field"


def test_space_plays_and_pauses_and_is_left_alone_elsewhere(open_page: Callable[..., Page]) -> None:
    page = ready(open_page("/learned_w"))
    play = page.locator(f"{STAGE} .player .play")
    expect(page.locator(STAGE)).to_have_attribute("data-frame", "0")
    page.locator(f"{STAGE} .player select").select_option("¼×")  # so that it plays until we pause it
    page.get_by_role("heading", level=1).click()
    page.keyboard.press(" ")
    expect(play).to_have_accessible_name("Pause")
    page.keyboard.press(" ")
    expect(play).to_have_accessible_name("Train")
    page.locator(f"{STAGE} .cells svg").focus()  # the picture answers it, and nobody a second time
    page.keyboard.press(" ")
    expect(play).to_have_accessible_name("Pause")
    page.keyboard.press(" ")
    expect(play).to_have_accessible_name("Train")

    page = ready(open_page("/kernel_regression"))
    page.evaluate(LEFT_ALONE)
    page.locator(".st-key-kr_stage .cells svg").focus()
    page.keyboard.press(" ")  # for the browser: it scrolls
    page.wait_for_function("() => globalThis.taken === false")


def test_the_list_names_what_works_here_and_gives_the_focus_back(open_page: Callable[..., Page]) -> None:
    page = ready(open_page("/kernel_regression"))
    expect(page.locator(SLIDER)).to_have_count(1)
    page.locator(SLIDER).focus()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Shortcuts on this page")
    expect(dialog).to_contain_text("Regenerate the data")
    expect(dialog).to_contain_text("pin the query")
    expect(dialog).not_to_contain_text("Play or pause")
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    told = gestures.messages(page)
    page.keyboard.press("r")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator(SLIDER)).to_be_focused()
    assert told == [], "all other keys rest"

    page.get_by_role("link", name="Next:").click()  # another page, and one listener still
    expect(page.get_by_role("heading", name="Multiply many small matrices at once")).to_be_visible()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(dialog).not_to_contain_text("Regenerate the data")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    assert page.evaluate(LISTS) == 1


def test_a_control_that_a_lesson_hides_is_left_alone(open_page: Callable[..., Page]) -> None:
    page = ready(open_page("/kernel_regression"))
    expect(page.locator(SLIDER)).to_have_count(1)
    page.add_style_tag(content=".st-key-kr_regenerate, .st-key-kr_width { display: none; }")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Shortcuts on this page")
    expect(dialog).to_contain_text("pin the query")
    expect(dialog).not_to_contain_text("Regenerate the data")
    expect(dialog).not_to_contain_text("Move:")


def test_back_leads_to_the_page_before_as_it_was_left(context: BrowserContext, server: str) -> None:
    page = context.new_page()  # a tab that has been used for long counts no more than 50 steps
    page.goto(f"{server}/kernel_regression?kr_kernel=tricube&kr_tab=one_query")
    page.wait_for_selector(SETTLED)
    ready(page)
    steps = page.evaluate("history.length")
    page.locator(SLIDER).focus()
    for key in ("ArrowRight", "ArrowRight", "r"):
        before = page.url
        page.keyboard.press(key)
        page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_selector(SETTLED)
    link, left_at = page.url, page.locator(SLIDER).input_value()
    assert "kr_seed=1" in link
    assert page.evaluate("history.length") == steps, "a position of a slider is no step"
    page.get_by_role("link", name="Next:").click()
    page.wait_for_url("**/batches*")
    expect(page.locator(".st-key-batches_row")).to_be_visible()
    page.go_back()
    expect(page.locator(SLIDER)).to_have_value(left_at)
    expect(page.locator(".st-key-kr_kernel [aria-checked=true] img")).to_have_attribute("alt", "Tricube")
    expect(page.locator(".st-key-kr_seed input")).to_have_value("1")
    expect(page).to_have_url(link)
    assert page.evaluate("history.length") == steps + 1
    page.close()
