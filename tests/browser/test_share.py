"""Share as a class uses it: a link copied here opens the same there, points included, and a lesson hides the rest."""

import re
from collections.abc import Callable

import pytest
import segno
from playwright.sync_api import Locator, Page, expect

from attention_ui.link.qr import QUIET

OPENING = "() => delete Object.getPrototypeOf(navigator).clipboard"
# The code as the browser draws it: a bitmap of one pixel for each of its squares, white ones around it included.
DRAWN = """async (svg) => {
  const side = svg.viewBox.baseVal.width, pen = new OffscreenCanvas(side, side).getContext("2d");
  const copy = svg.cloneNode(true), image = new Image(side, side);
  for (const name of ["width", "height"]) copy.setAttribute(name, side);
  image.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
  await image.decode();
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, side, side), dark = (x, y) => 1 - data[4 * (y * side + x)] / 255;
  return Array.from({ length: side }, (_, y) => Array.from({ length: side }, (_, x) => dark(x, y)));
}"""


def numbers(page: Page) -> Locator:
    """All errors of the lab, in one table."""
    return page.locator(".st-key-kr_numbers table")


def share(page: Page) -> Locator:
    """The dialog, once it knows what the controls on the page are called."""
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.locator(".st-key-share_lock input").click()
    expect(page.get_by_role("option", name="Kernel", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    return dialog


def copied(page: Page, dialog: Locator) -> str:
    """The link as another field gets it from the clipboard."""
    dialog.get_by_role("button", name="Copy link").click()
    expect(dialog.get_by_role("status")).to_have_text("Copied")
    field = dialog.locator(".st-key-share_lock input")
    field.click()
    page.keyboard.press("Control+V")
    expect(field).to_have_value(dialog.get_by_label("Link to this page").input_value())
    return field.input_value()


@pytest.mark.parametrize("clipboard", [True, False], ids=["clipboard", "plain http"])
def test_a_copied_link_opens_the_same_lab(
    open_page: Callable[..., Page], elsewhere: Callable[[str], Page], clipboard: bool
) -> None:
    page = open_page("/kernel_regression?kr_kernel=boxcar&kr_seed=3&kr_query=2")
    if not clipboard:
        page.evaluate(OPENING)
    before = page.url
    page.locator(".st-key-kr_width input[type=range]").press("ArrowRight")
    page.wait_for_function("before => location.href !== before", arg=before)
    dialog = share(page)
    link = copied(page, dialog)
    assert link == page.url
    (width,) = re.findall(r"kr_width=([\d.]+)", link)
    expect(numbers(page)).to_contain_text(f"Now: Boxcar, σ = {width}")
    told = numbers(page).inner_text()
    code = dialog.locator(".code svg")
    expect(code).to_have_attribute("aria-label", f"QR code of the link {link}")
    drawn = code.evaluate(DRAWN)
    assert drawn == [list(row) for row in segno.make_qr(link, error="l").matrix_iter(border=QUIET)]
    other = elsewhere(link)
    expect(numbers(other)).to_have_text(told, use_inner_text=True)
    assert other.url == link


def test_own_points_travel_in_the_link(open_page: Callable[..., Page], elsewhere: Callable[[str], Page]) -> None:
    page = open_page("/kernel_regression?kr_function=own")
    page.get_by_role("tab", name="Paste").click()
    field = page.locator(".st-key-kr_pasted textarea")
    field.fill("1 2.5\n2 0.1\n3.25 1e-7\n4 3")
    field.press("Control+Enter")
    page.wait_for_url("**kr_points=*")
    expect(page.get_by_text("In use: 4 points, pasted.")).to_be_visible()
    expect(numbers(page)).to_contain_text("Now: Gaussian, σ = 1")  # as before: the table is written a moment later
    told = numbers(page).inner_text()
    assert "Average pooling" in told
    other = elsewhere(page.url)
    expect(numbers(other)).to_have_text(told, use_inner_text=True)
    expect(other.get_by_text("In use: 4 points, from a link.")).to_be_visible()
    expect(other.get_by_text("Ignored in the link")).to_have_count(0)


def test_a_lesson_link_hides_what_the_teacher_chose(
    open_page: Callable[..., Page], elsewhere: Callable[[str], Page]
) -> None:
    page = open_page("/kernel_regression?kr_kernel=boxcar&lock=noise")
    dialog = share(page)
    expect(dialog.get_by_label("Link to this page")).to_have_value(page.url)
    stops = [dialog.get_by_label("Link to this page"), dialog.get_by_role("button", name="Copy link")]
    dialog.get_by_role("button", name="Close", exact=True).focus()
    for stop in stops:
        page.keyboard.press("Tab")
        expect(stop).to_be_focused()
    dialog.get_by_text("For the projector").click()
    dialog.locator(".st-key-share_lock input").click()
    page.get_by_role("option", name="Regenerate data").click()
    shown = dialog.get_by_label("Link to this page")
    expect(shown).to_have_value(page.url.replace("&lock=noise", "&present=1&lock=noise,regenerate"))
    other = elsewhere(shown.input_value())
    for part in ("stSidebar", "stHeader"):
        expect(other.get_by_test_id(part)).not_to_be_visible()
    expect(other.locator(".st-key-tools")).not_to_be_visible()
    other.get_by_role("button", name="Leave").click()
    expect(other.get_by_test_id("stSidebar")).to_be_visible()
    expect(other.locator(".st-key-kr_n")).to_be_visible()
    expect(other.locator(".st-key-kr_noise")).to_be_hidden()
    expect(other.locator(".st-key-kr_regenerate")).to_be_hidden()
    assert "present" not in other.url


def test_a_teacher_walks_to_the_next_chapter_and_still_presents(open_page: Callable[..., Page]) -> None:
    page = open_page("/kernel_regression?present=1")
    page.get_by_role("link", name="Next:").click()
    page.wait_for_url("**/batches?present=1*")
    expect(page.locator(".st-key-batches_row")).to_be_visible()
    expect(page.get_by_test_id("stHeader")).not_to_be_visible()
    page.locator(".st-key-batches_row input[type=range]").press("ArrowLeft")
    page.wait_for_url("**batches_row=0*")
    assert "present=1" in page.url
