"""Several heads as a student meets them: drag their mixture beyond an average, and switch one off."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from attention_ui.chapters.multihead.choices import SHARES, Layer, Mixture
from attention_ui.chapters.multihead.computation import layer_computation
from attention_ui.chapters.multihead.mixing import best_mixture, errors
from attention_ui.controls.dataset import Dataset
from attention_ui.numbers import short
from tests.browser.gestures import box, handle, messages, still

STAGE = ".st-key-multihead_stage .picture"
HEATMAPS = ".st-key-multihead_vectors_picture .picture"
# Frame, curve, pixels and read-outs of one picture, read in one go.
PICTURE = """stage => ({
    frame: +stage.dataset.frame,
    curve: stage.querySelector("path.prediction").getAttribute("d"),
    pixels: (canvas => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.join())(
        stage.querySelector("canvas")),
    told: [...stage.querySelectorAll(".readouts b")].map(number => number.textContent),
})"""


def picture(page: Page) -> dict[str, Any]:
    """The stage at rest."""
    seen: dict[str, Any] = still(page, lambda: page.locator(STAGE).evaluate(PICTURE))
    return seen


def told(frame: int) -> list[str]:
    """Both errors at this frame, by torch."""
    by_others, against = errors(Mixture(Dataset(), (0.355, 0.562)))
    assert against is not None
    return [short(column[frame].item(), 4) for column in (against, by_others)]


def test_a_drag_of_the_share_moves_the_mixture_without_a_word_to_the_server(open_page: Callable[..., Page]) -> None:
    page = open_page("/multihead?multihead_share=0.5")
    expect(page.locator(STAGE)).to_have_attribute("data-frame", str(SHARES.index(0.5)))
    before, sent = picture(page), messages(page)
    assert before["told"] == told(before["frame"])
    x, y = handle(page, "multihead_share")
    left, _, width, _ = box(page.locator(".st-key-multihead_share"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(left + width, y)
    expect(page.locator(STAGE)).to_have_attribute("data-frame", str(len(SHARES) - 1))
    after = picture(page)
    assert sent == [], "the drag must not wait for the server"
    page.mouse.up()
    assert after["told"] == told(len(SHARES) - 1)
    assert after["curve"] != before["curve"]
    assert after["pixels"] != before["pixels"]
    page.locator(".st-key-multihead_count button").nth(1).click()
    first, _, third = best_mixture(Dataset(), (0.355, 0.562, 0.1))
    later = page.locator(".st-key-multihead_share3")
    expect(later.locator("[data-testid=stSliderThumbValue]")).to_have_text(f"{third:.2f}")
    later.locator("[role=slider], input[type=range]").first.press("ArrowLeft")
    expect(later.locator("[data-testid=stSliderThumbValue]")).to_have_text(f"{third - 0.02:.2f}")
    page.get_by_role("button", name="Best shares").click()  # inside a part that runs alone: the sidebar follows it too
    expect(later.locator("[data-testid=stSliderThumbValue]")).to_have_text(f"{third:.2f}")
    expect(page.locator(".st-key-multihead_share [data-testid=stSliderThumbValue]")).to_have_text(f"{first:g}")


def test_a_head_that_is_switched_off_is_crossed_out_and_its_damage_is_told(open_page: Callable[..., Page]) -> None:
    page = open_page("/multihead?multihead_tab=vectors")
    titles = page.locator(f"{HEATMAPS} .title")
    expect(titles).to_have_text(["Head 1", "Head 2", "Head 3", "Head 4"])
    page.locator(".st-key-multihead_on_4 button").nth(1).click()
    expect(titles).to_have_text(["Head 1", "Head 2, off", "Head 3", "Head 4"])
    expect(page.locator(f"{HEATMAPS} .panel").nth(1).locator("path.hatch")).to_have_attribute("d", re.compile("M.*l"))
    damage = layer_computation(Layer(4, 0, (True, False, True, True))).shown["damage"].item()
    main = page.locator("[data-testid=stMainBlockContainer]")
    expect(main).to_contain_text(f"Head 2 is off. That changes the output by {100 * damage:.1f} %")
