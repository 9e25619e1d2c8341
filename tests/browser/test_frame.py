"""The frame around every page: one left edge, one row for title and tools, a menu that shows where one is."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import HAS_TEXT, SETTLED
from tests.browser.gestures import box, handle, still

SIDEBAR = "[data-testid=stSidebar]"
SECTION = "[data-testid=stTopNavSection]"
MENU = "[data-testid=stExpandSidebarButton]"
MARKED = "sections => sections.map(each => getComputedStyle(each).boxShadow !== 'none')"

# Pages whose picture is higher than a phone's screen: their path, slider and picture.
STAYING = [
    ("/", "home_width", "home_stage"),
    ("/kernel_regression", "kr_width", "kr_stage"),
    ("/multihead", "multihead_share", "multihead_stage"),
    ("/self_attention", "sa_strength", "sa_outputs_picture"),
]


def edges(page: Page) -> tuple[float, float]:
    """The left edges of menu and title; the tools stand beside the title, in one row."""
    tools = page.locator(".st-key-tools button:visible")
    for name in ("share", "download", "keys"):
        expect(page.locator(f".st-key-{name} button")).to_be_visible()
    title, *beside = still(page, lambda: [box(each) for each in (page.locator("h1"), *tools.all())])
    assert title[3] < 45, "one line"
    for _, top, _, height in beside:
        assert title[1] - 8 <= top <= top + height <= title[1] + title[3] + 8, "the row does not wrap"
    return box(page.locator("[data-testid=stTopNavLinkContainer]"))[0], title[0]


def test_the_left_edge_stays_where_it_is_with_and_without_a_sidebar(open_page: Callable[..., Page]) -> None:
    page = open_page("/learned_w")  # the longest title of those with a sidebar
    for size in ({"width": 1280, "height": 720}, {"width": 1440, "height": 900}):
        page.set_viewport_size(size)
        expect(page.locator(SIDEBAR)).to_be_visible()
        wide = edges(page)
        page.get_by_role("link", name="Next:").click()
        expect(page).to_have_title("Scoring functions · Attention Lab")
        expect(page.locator(SIDEBAR)).to_be_hidden()
        assert edges(page) == wide
        marked = page.locator(SECTION).evaluate_all(MARKED)
        assert marked == [False, False, True, False], "seams.open_section_style marks another section, or none"
        page.go_back()
        expect(page).to_have_title("Learned w · Attention Lab")


def test_a_tab_without_controls_for_it_has_no_sidebar(open_page: Callable[..., Page]) -> None:
    page = open_page("/bahdanau?bahdanau_tab=train")
    expect(page.locator(f"{SIDEBAR} input[type=range]").first).to_be_visible()
    page.locator(".st-key-bahdanau_tab [role=radio]").first.click()
    expect(page.locator(SIDEBAR)).to_be_hidden()


def test_a_sidebar_can_be_closed_and_opened_again(open_page: Callable[..., Page]) -> None:
    page = open_page("/cues")
    _, left = edges(page)
    page.locator("[data-testid=stSidebarHeader]").hover()
    page.locator("[data-testid=stSidebarCollapseButton] button").click()
    expect(page.locator(SIDEBAR)).to_be_hidden()
    assert edges(page)[1] == left
    page.locator(MENU).click()
    expect(page.locator(f"{SIDEBAR} input[type=range]").first).to_be_visible()


@pytest.fixture
def pocketed(phone: Page, server: str) -> Callable[..., Page]:
    """A function that opens a path on a phone and waits until this part of the page is there."""

    def opened(path: str, part: str) -> Page:
        phone.goto(server + path)
        phone.wait_for_selector(SETTLED)
        phone.wait_for_function(HAS_TEXT)
        phone.locator(part).first.wait_for()
        return phone

    return opened


@pytest.mark.parametrize(("path", "slider", "picture"), STAYING)
def test_on_a_phone_the_slider_stays_in_sight_over_its_picture(
    pocketed: Callable[..., Page], path: str, slider: str, picture: str
) -> None:
    phone = pocketed(path, f".st-key-{picture} .cells svg")
    heatmap = phone.locator(f".st-key-{picture} .cells svg").last
    heatmap.evaluate("each => each.scrollIntoView({ block: 'center' })")
    x, y = handle(phone, slider)
    assert 0 < y < 844 / 2
    on_top = "([key, x, y]) => !!document.elementFromPoint(x, y).closest(`.st-key-${key}`)"
    assert phone.evaluate(on_top, [slider, x, y])


def test_on_a_phone_the_menu_closes_after_a_choice(pocketed: Callable[..., Page]) -> None:
    phone = pocketed("/", ".st-key-home_stage .picture[data-frame]")
    phone.locator(".st-key-keys button.open").wait_for(state="attached")
    expect(phone.locator(".st-key-keys button.open"), "there are no keys to press").to_be_hidden()
    phone.locator(MENU).click()
    link = phone.locator("[data-testid=stSidebarNavLink]").nth(4)
    expect(link).to_be_in_viewport()
    link.click()
    expect(phone).to_have_title("Kernel regression · Attention Lab")
    expect(link, "closeMenuAfterChoice in pictures/js/streamlit.js").not_to_be_in_viewport()


# Parts that a background alone would tell: their colours, beside that of the page.
PAINTED = """() => {
  const track = document.querySelector("[data-testid=stSlider] [role=group] > div > div:first-child");
  const thumb = document.querySelector("[data-testid=stSliderThumbValue]").parentElement;
  const tab = document.querySelector("[data-testid=stButtonGroup] [aria-checked=true]");
  return [document.body, track, thumb, tab].map((each) => getComputedStyle(each).backgroundColor);
}"""


def test_forced_colours_leave_sliders_and_choices_to_see(open_page: Callable[..., Page]) -> None:
    page = open_page("/cues")
    page.emulate_media(forced_colors="active")
    expect(page.locator("[data-testid=stButtonGroup] [aria-checked=true]").first).to_be_visible()
    behind, *parts = page.evaluate(PAINTED)
    assert all(part not in (behind, "rgba(0, 0, 0, 0)", "rgba(255, 255, 255, 0)") for part in parts), parts
    page.emulate_media(forced_colors="none")
