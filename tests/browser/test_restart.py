"""kill -9 with pages open: each is as it was, with all that stood in its link, and a drag under way is not lost."""

from collections.abc import Callable, Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from attention_ui.contents import CHAPTERS, HOME
from attention_ui.server import workers
from tests.browser.conftest import HAS_TEXT, SETTLED
from tests.browser.gestures import handle
from tests.browser.restarting import SERVED_BY, boot_of, kill, served_by

pytestmark = pytest.mark.skipif(not workers.POSSIBLE, reason="nobody replaces a process here")

# Of every page: what its link says, and the control that is moved then, which the link names.
LINKS = {
    "home": ("home_width=0.501", "home_width"),
    "cues": ("cues_goal=drink", "cues_blend"),
    "qkv": ("qkv_space=plane", "qkv_temperature"),
    "heatmaps": ("heatmaps_n=9", "heatmaps_sharpness"),
    "kernel_regression": ("kr_kernel=tricube&kr_query=1.5", "kr_width"),
    "batches": ("batches_n=4", "batches_tilt"),
    "learned_w": ("lw_n=40", "lw_epochs"),
    "scoring": ("scoring_tab=scaling", "scoring_width"),
    "bahdanau": ("bahdanau_digits=2718", "bahdanau_digits"),
    "multihead": ("multihead_noise=0.2", "multihead_share"),
    "self_attention": ("sa_causal=true", "sa_strength"),
    "transformer": ("transformer_tab=steps", "transformer_temperature"),
    "exercises": ("exercises_at=columns", "exercises_next"),
}


@pytest.fixture
def opened(context: BrowserContext, server: str) -> Iterator[Callable[[str], Page]]:
    """A function that opens a page in a tab of its own, which may complain that its server is gone."""
    tabs: list[Page] = []

    def visit(path: str) -> Page:
        tabs.append(context.new_page())
        tabs[-1].goto(server + path)
        tabs[-1].wait_for_selector(SETTLED)
        tabs[-1].wait_for_function(HAS_TEXT)
        tabs[-1].wait_for_function(SERVED_BY)
        return tabs[-1]

    yield visit
    for tab in tabs:
        tab.close()


def in_link(page: Page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def move(page: Page, key: str) -> None:
    """Use this control once, whatever it is."""
    home = page.locator(f".st-key-{key}")
    if (slider := home.locator("input[type=range]")).count():
        slider.press("ArrowRight")
    elif (text := home.locator("input[type=text]")).count():
        text.fill("1618")
        text.press("Enter")
    else:
        home.locator("button").first.click()


def test_every_page_works_again_after_its_process_was_killed(opened: Callable[[str], Page], server: str) -> None:
    assert set(LINKS) == {chapter.name for chapter in (HOME, *CHAPTERS)}
    pages = {name: opened(f"/{'' if name == 'home' else name}?{link}") for name, (link, _) in LINKS.items()}
    before = {name: in_link(page) for name, page in pages.items()}
    assert all(link in page.url for page, (link, _) in zip(pages.values(), LINKS.values(), strict=True))
    kill(server)
    boot = boot_of(server)
    for name, page in pages.items():
        served_by(page, boot)
        assert in_link(page) == before[name], name
        address = page.url
        move(page, LINKS[name][1])
        page.wait_for_function("address => location.href !== address", arg=address)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_drag_under_way_is_not_lost(opened: Callable[[str], Page], server: str) -> None:
    page = opened("/kernel_regression?kr_kernel=tricube")
    page.locator(".st-key-kr_stage .picture[data-frame]").wait_for()
    drag_past_a_kill(page, server, "there is no server")  # the last run was a whole one
    drag_past_a_kill(page, server, "there is one again")  # it was a fragment's
    assert in_link(page)["kr_kernel"] == "tricube"


def drag_past_a_kill(page: Page, server: str, released_when: str) -> None:
    """Drag the width while the server is killed; the page comes to be where the hand has led it."""
    thumb = page.locator(".st-key-kr_width [data-testid=stSliderThumbValue]")
    before = in_link(page).get("kr_width", "1")
    x, y = handle(page, "kr_width")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y)
    here = thumb.inner_text()
    kill(server)
    page.wait_for_selector(f"{SETTLED}:not([data-test-connection-state=CONNECTED])")
    page.mouse.move(x + 120, y)
    if released_when == "there is no server":
        page.mouse.up()
    served_by(page, boot_of(server))
    expect(thumb).not_to_have_text(here)
    if released_when == "there is one again":
        page.mouse.move(x + 122, y)
        page.mouse.up()
    page.wait_for_function("before => !location.search.includes(`kr_width=${before}`)", arg=before)
    page.wait_for_url("**/*kr_width=*")
    expect(thumb).to_contain_text(f"σ {in_link(page)['kr_width']} ")
