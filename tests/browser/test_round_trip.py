"""Every page as a link: change something on it by hand, open its address elsewhere, and meet the same there."""

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from attention_ui.contents import CHAPTERS, HOME
from tests.browser.conftest import SETTLED
from tests.browser.gestures import still

Gesture = Callable[[Page], None]
REST = 300  # ms: the words of a picture are written anew when it has not moved for 250

# All that a page tells, in its own elements and in those of its components: words, values, lines and shades.
# What earlier runs left behind belongs to a visit, not to the link: the graphs of them are passed over, and so is
# a hint that is given once.
TOLD = """() => {
  const shades = canvas => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const own = {
    INPUT: each => ["checkbox", "radio"].includes(each.type) ? each.checked : each.value,
    TEXTAREA: each => each.value,
    CANVAS: each => each.width * each.height && shades(each).reduce((sum, shade) => (31 * sum + shade) | 0),
    path: each => each.getAttribute("d"),
  };
  const told = node => {
    if (node.nodeType === Node.TEXT_NODE) return [node.data.trim()];
    if (node.nodeType !== Node.ELEMENT_NODE || ["STYLE", "SCRIPT"].includes(node.tagName)) return [];
    if (node.matches(".graphs, .hint, [hidden]")) return [];
    return [own[node.tagName]?.(node), node.matches("[role=img]") && node.getAttribute("aria-label"),
            ...[...(node.shadowRoot ?? node).childNodes].flatMap(told)];
  };
  return ["stMain", "stSidebar"].map(part => document.querySelector(`[data-testid=${part}]`))
    .flatMap(part => part ? told(part) : []).filter(each => each || each === 0).map(String);
}"""
DRAWN = "() => !document.querySelector('[data-testid=stSkeleton]')"


def told(page: Page) -> list[str]:
    """What is on the page once it has come to rest."""
    page.wait_for_selector(SETTLED)
    page.wait_for_function(DRAWN)
    result: list[str] = still(page, lambda: page.evaluate(TOLD), REST)
    return result


def changed(page: Page, act: Callable[[], None]) -> None:
    """Do something, and wait until the address tells of it."""
    before = page.url
    act()
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_selector(SETTLED)


def inside(page: Page, key: str, what: str) -> Locator:
    return page.locator(f".st-key-{key} {what}").first


def slide(*keys: str) -> Gesture:
    def gesture(page: Page) -> None:
        for key in keys:
            slider = inside(page, key, "input[type=range]")
            at_the_end = slider.evaluate("each => each.value === each.max")
            changed(page, partial(slider.press, "ArrowLeft" if at_the_end else "ArrowRight"))

    return gesture


def write(key: str, text: str) -> Gesture:
    def gesture(page: Page) -> None:
        inside(page, key, "input").fill(text)
        changed(page, lambda: inside(page, key, "input").press("Enter"))

    return gesture


def click(key: str, name: str) -> Gesture:
    """Press a button, or take a choice by its name."""
    return lambda page: changed(
        page, lambda: page.locator(f".st-key-{key}").get_by_text(name, exact=True).first.click()
    )


def pin(stage: str) -> Gesture:
    def gesture(page: Page) -> None:
        changed(page, lambda: inside(page, stage, "canvas + svg").click())
        page.mouse.move(5, 5)  # or what lies under the pointer is told as well

    return gesture


def let_move(page: Page) -> None:
    """Let play by itself what does so."""
    page.emulate_media(reduced_motion="no-preference")


def pause(stage: str) -> Gesture:
    """Stop what plays by itself; where it stands then is in the address."""
    return lambda page: changed(page, inside(page, stage, "button.play").click)


GESTURES: dict[str, list[Gesture]] = {
    "home": [slide("home_width"), pin("home_stage")],
    "cues": [slide("cues_cup", "cues_blend"), click("cues_tab", "What sets attention apart")],
    "qkv": [slide("qkv_temperature"), click("qkv_space", "Plane")],
    "heatmaps": [slide("heatmaps_n", "heatmaps_sharpness", "heatmaps_row")],
    "kernel_regression": [
        *(slide("kr_noise", "kr_width"), click("kr_regenerate", "Regenerate data"), pin("kr_stage")),
        *(click("kr_linear", "Fit a local line"), click("kr_tab", "One query")),
    ],
    "batches": [slide("batches_n", "batches_row", "batches_tilt")],
    "learned_w": [let_move, slide("lw_rate", "lw_n"), click("lw_optimizer", "Adam"), pause("lw_stage")],
    "scoring": [click("scoring_tab", "Masks"), click("scoring_tab", "Why √d?")],
    "bahdanau": [write("bahdanau_digits", "271828"), click("bahdanau_tab", "Explainability")],
    "multihead": [slide("multihead_n", "multihead_head1_width", "multihead_share")],
    "self_attention": [click("sa_reverse", "Reverse"), slide("sa_strength")],
    "transformer": [write("transformer_text", "27182"), click("transformer_tab", "All heads")],
    "exercises": [click("exercises_commit", "Commit"), click("exercises_next", "Next")],
}


def test_every_page_is_in_the_table() -> None:
    assert list(GESTURES) == [chapter.name for chapter in (HOME, *CHAPTERS)]


@pytest.mark.parametrize("name", GESTURES)
def test_the_address_of_a_page_opens_the_same_elsewhere(
    open_page: Callable[..., Page], elsewhere: Callable[[str], Page], name: str
) -> None:
    page = open_page("/" if name == HOME.name else f"/{name}")
    expect(page.get_by_role("button", name="Keyboard shortcuts")).to_be_visible()
    for gesture in GESTURES[name]:
        gesture(page)
    here, link = told(page), page.url
    assert page.locator("h1").inner_text() in here, "the page is read"
    other = elsewhere(link)
    there = told(other)
    for _ in range(10):  # a component may be drawn a moment after the page has come to rest
        there = there if there == here else told(other)
    assert there == here
    assert other.url == link
