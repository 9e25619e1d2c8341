"""Heatmaps as a student meets it: a drag moves every heatmap at once, and a cell tells its weight."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from attention_core.scores import SCORES
from attention_ui.chapters.scoring import explorer
from attention_ui.chapters.scoring.choices import TEMPERATURES
from attention_ui.chapters.scoring.morph import frames
from tests.browser.gestures import box, handle, messages, still

MORPH = ".st-key-scoring_morph_picture .picture"
EXPLORER = ".st-key-scoring_explorer_picture .picture"
# The frame, the pixels of every heatmap and the read-outs of one picture, read in one go.
PICTURE = """place => ({
    frame: +place.dataset.frame,
    pixels: [...place.querySelectorAll("canvas")].map(canvas =>
        canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.join()),
    told: [...place.querySelectorAll(".readouts b")].map(number => number.textContent),
    spots: [...place.querySelectorAll(".spot")].map(spot => spot.getAttribute("transform")),
})"""


def picture(page: Page) -> dict[str, Any]:
    """The morph at rest."""
    seen: dict[str, Any] = still(page, lambda: page.locator(MORPH).evaluate(PICTURE))
    return seen


def test_a_drag_of_the_morph_makes_both_heatmaps_one_without_a_word_to_the_server(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/scoring?scoring_tab=morph")
    expect(page.locator(MORPH)).to_have_attribute("data-frame", "0")
    before, sent = picture(page), messages(page)
    assert float(before["told"][0]) > 0.1
    x, y = handle(page, "scoring_share")
    left, _, width, _ = box(page.locator(".st-key-scoring_share"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(left + width / 2, y)
    expect(page.locator(MORPH)).not_to_have_attribute("data-frame", "0")
    halfway = picture(page)
    assert halfway["told"][0] == f"{frames(False)['difference'][halfway['frame']].item():.3g}"
    page.mouse.move(left + width, y)
    expect(page.locator(MORPH)).to_have_attribute("data-frame", "100")
    after = picture(page)
    assert sent == [], "the drag must not wait for the server"
    page.mouse.up()
    assert after["told"] == ["0", "1.00 to 1.00"]
    near, along, difference = zip(*(seen["pixels"] for seen in (before, halfway, after)), strict=True)
    assert len(set(near)) == len(set(along)) == len(set(difference)) == 3, "every heatmap moves"
    assert near[0] != along[0]
    assert near[2] == along[2], "at the end the two are one"
    moved = [now != then for now, then in zip(after["spots"], before["spots"], strict=True)]
    assert moved == [False] * 5 + [True] * 7, "the keys move, the queries stay"


def test_a_cell_tells_its_weight_to_the_mouse_and_to_the_arrow_keys(open_page: Callable[..., Page]) -> None:
    page = open_page("/scoring?scoring_tab=explorer&scoring_d=16&scoring_temperature=2.22")
    frame = TEMPERATURES.index("2.22")
    expect(page.locator(EXPLORER)).to_have_attribute("data-frame", str(frame))
    weights = explorer.frames(16, 0)[frame, list(SCORES).index("scaled_dot")]
    heatmap, tooltip = page.locator(f"{EXPLORER} .cells").nth(2), page.locator(f"{EXPLORER} .tooltip")
    left, top, width, height = box(heatmap.locator("canvas"))
    page.mouse.move(left + width * 6.5 / 10, top + height * 3.5 / 8)
    expect(tooltip).to_have_text(f"query q4 · key k7 · weight {weights[3, 6]:.4f}")
    page.mouse.move(left - 60, top - 20)
    heatmap.locator("svg").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(tooltip).to_have_text(f"query q2 · key k2 · weight {weights[1, 1]:.4f}")
    best = int(weights[0].argmax())
    words = f"q1 at k{best + 1} {weights[0, best]:.4f}"
    page.wait_for_function("([svg, words]) => svg.getAttribute('aria-label').includes(words)", arg=[
        heatmap.locator("svg").element_handle(), words,
    ])  # fmt: skip
