"""What attention_ui/pictures/js/streamlit.js takes for granted about Streamlit's page; each failure names its use."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.gestures import handle

SEAMS = "attention_ui/pictures/js/streamlit.js"


def count(page: Page, selector: str) -> int:
    """How many elements of the page, once it is drawn."""
    page.locator(".st-key-kr_stage .picture[data-frame]").wait_for()
    return page.locator(selector).count()


def test_a_key_is_a_class_of_its_container(open_page: Callable[..., Page]) -> None:
    lab = open_page("/kernel_regression")
    found = count(lab, ".st-key-kr_stage")
    assert found == 1, f"keyOf and homeOf in {SEAMS}: Streamlit no longer makes the class st-key-KEY of a key"


def test_a_native_slider_has_a_range_input_that_moves_while_it_is_dragged(open_page: Callable[..., Page]) -> None:
    lab = open_page("/kernel_regression")
    slider = ".st-key-kr_width input[type=range]"
    assert count(lab, slider) == 1, f"followSlider in {SEAMS}: a native slider holds no range input any more"
    before = lab.locator(slider).input_value()
    x, y = handle(lab, "kr_width")
    lab.mouse.move(x, y)
    lab.mouse.down()
    lab.mouse.move(x + 120, y)
    moved = lab.locator(slider).input_value()
    lab.mouse.up()
    assert moved != before, f"followSlider in {SEAMS}: the range input of a slider stays while it is dragged"


def test_the_part_beside_the_menu_has_its_test_id(open_page: Callable[..., Page]) -> None:
    found = count(open_page("/kernel_regression"), "[data-testid=stMain]")
    assert found == 1, f"mainPart in {SEAMS}: the page beside the menu has no test id stMain any more"


def test_streamlits_dialogs_have_the_role_of_one(open_page: Callable[..., Page]) -> None:
    lab = open_page("/kernel_regression")
    count(lab, "body")
    lab.locator(".st-key-share button").click()
    lab.get_by_role("button", name="Copy link").wait_for()
    found = lab.evaluate("document.querySelectorAll('[role=dialog], [role=alertdialog]').length")  # ours is in a shadow
    assert found >= 1, f"dialogs in {SEAMS}: st.dialog has no role of a dialog any more, so our keys would act under it"


def test_the_button_of_new_data_is_found_by_its_key(open_page: Callable[..., Page]) -> None:
    found = count(open_page("/kernel_regression"), "[class*='_regenerate'] button:enabled")
    assert found >= 1, f"regenerateButtons in {SEAMS}: the button of new data is not inside the container of its key"


def test_a_control_keeps_its_words_where_they_are_read(open_page: Callable[..., Page]) -> None:
    lab = open_page("/kernel_regression")
    found = count(lab, ".st-key-kr_width [data-testid=stWidgetLabel] [data-testid=stMarkdownContainer]")
    assert found == 1, (
        f"labelOf in {SEAMS}: the label of a widget is not in stWidgetLabel and stMarkdownContainer any more"
    )
    found = count(lab, ".st-key-kr_tab button [data-testid=stMarkdownContainer]")
    assert found > 1, f"labelOf in {SEAMS}: the choices of a segmented control are not in stMarkdownContainer any more"


def test_a_chart_has_a_camera(open_page: Callable[..., Page]) -> None:
    lab = open_page("/kernel_regression")
    lab.locator(".st-key-download button").click()
    lab.locator("[role=dialog] .main-svg").first.wait_for(timeout=60_000)
    found = lab.locator("[role=dialog] .modebar-btn").count()
    assert found >= 1, f"cameraOf in {SEAMS}: a plotly chart has no .modebar-btn to press for its PNG any more"


def test_a_value_in_the_link_goes_through_push_state(open_page: Callable[..., Page]) -> None:
    lab = open_page("/kernel_regression")
    count(lab, "body")
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
    lab.locator(".st-key-kr_width input[type=range]").press("ArrowRight")
    lab.wait_for_function("() => location.search.includes('kr_width')")
    lab.wait_for_timeout(500)
    pushed = lab.evaluate("window.pushed")
    assert pushed > 0, f"oneStepPerPage in {SEAMS}: Streamlit no longer calls history.pushState for a value in the link"
