"""The data controls as a visitor uses them: the link, a file, the editor, another page."""

import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from attention_ui.reading.literal import JOINER
from tests.browser.conftest import SETTLED
from tests.browser.serving import free_port, serving

HOSTILE = [
    "*a* _b_ **c** ~~d~~ `e`",
    "$f$ and $g$ :red[h] :small[i]",
    "[j](http://k.io) ![l](http://m.io)",
    "www.n.io https://o.io p@q.io",
    ":smile: :material/home: :streamlit:",
    "a -> b <- c -- d >= e <= f ~= g <-> h",
    "<b>i</b> &amp; \\*j\\* #k",
]
SAYS = "([said, joiner]) => document.querySelector('[role=alert]')?.innerText.replaceAll(joiner, '').includes(said)"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server over the stand-in page."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "tests/pages/data_page.py", "--server.port", str(port)]
    with serving(command, port, ready="/_stcore/health") as started:
        yield started.address


@pytest.fixture
def visit(page: Page, address: str) -> Callable[[str], Page]:
    """A function that opens a link to the stand-in page and waits until it is drawn."""

    def open_link(link: str) -> Page:
        page.goto(address + link)
        page.wait_for_selector(SETTLED)
        expect(summary(page)).to_be_visible()
        return page

    return open_link


def summary(page: Page) -> Locator:
    return page.get_by_text("sum of y")


def upload(page: Page, content: str, name: str = "heat.csv") -> None:
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content.encode()})


def test_regenerate_is_in_the_link_and_the_link_gives_the_same_points(
    visit: Callable[[str], Page], address: str
) -> None:
    page = visit("/?first_function=bump&first_n=12")
    before = summary(page).inner_text()
    page.get_by_role("button", name="Regenerate data").click()
    expect(page.get_by_test_id("stNumberInputField")).to_have_value("1")
    expect(summary(page)).not_to_have_text(before)
    page.wait_for_url("**first_seed=1*")
    drawn = summary(page).inner_text()
    again = visit(page.url.removeprefix(address))  # a session of its own
    expect(summary(again)).to_have_text(drawn)


def test_the_back_button_over_a_bad_link_raises_nothing(visit: Callable[[str], Page]) -> None:
    page = visit("/?first_seed=inf&first_n=9")
    page.wait_for_function("!location.search.includes('inf')")
    expect(summary(page)).to_contain_text("9 points")
    page.go_back()
    page.wait_for_function("!location.search.includes('inf')")
    page.wait_for_selector(SETTLED)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(summary(page)).to_contain_text("9 points")


def test_a_good_file_is_used_and_a_bad_one_explained(visit: Callable[[str], Page]) -> None:
    page = visit("/?first_function=own")
    upload(page, "time;heat\n1;2,5\n2;3,5\n3;1,5\n")
    expect(summary(page)).to_have_text("3 points, sum of y 7.500000")
    upload(page, "time\n1\n2\n3\n", "cold.pdf")
    expect(page.get_by_role("alert")).to_contain_text("'cold.pdf' cannot be read")
    expect(page.get_by_text("Still in use: 3 points, 'heat.csv'.")).to_be_visible()
    expect(summary(page)).to_have_text("3 points, sum of y 7.500000")


def test_cells_are_quoted_as_they_are_written(visit: Callable[[str], Page]) -> None:
    page = visit("/?first_function=own")
    for cell in HOSTILE:
        upload(page, f"x\ty\n1\t2\n2\t{cell}\n3\t4\n4\t5\n", "<img src=x onerror=alert(1)>.tsv")
        quoted = cell if len(cell) <= 40 else cell[:37] + "..."
        alert = page.get_by_role("alert").get_by_test_id("stMarkdownContainer")
        page.wait_for_function(SAYS, arg=[f"Row 3 of column 'y' reads '{quoted}'", JOINER])
        expect(alert.locator("a, em, strong, code, img, .katex, span")).to_have_count(0)


def open_editor(page: Page) -> Locator:
    page.get_by_role("button", name="Edit points").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("canvas").first).to_be_visible()
    return dialog


def type_into(page: Page, dialog: Locator, place: tuple[int, int], text: str) -> None:
    """Type into a cell by its row and its column, counted from 1; the editor is one canvas."""
    box = dialog.locator("canvas").first.bounding_box()
    assert box is not None
    row, column = place
    x, y = box["x"] + 150 + 180 * (column - 1), box["y"] + 17 + 35 * row
    page.mouse.move(x, y, steps=5)  # the editor looks where the mouse is before it believes a click
    cell = page.locator("#portal").get_by_role("textbox")
    for _ in range(20):  # one click selects a cell or adds a row, the next opens it
        page.mouse.click(x, y)
        page.wait_for_timeout(300)
        if cell.count():
            break
    cell.fill(text)


def test_points_are_edited_with_one_sentence_for_a_bad_row_and_reset(visit: Callable[[str], Page]) -> None:
    page = visit("/?first_function=step&first_n=4&first_noise=0")
    drawn = summary(page).inner_text()
    dialog = open_editor(page)
    type_into(page, dialog, (5, 1), "6")  # below the last row
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog.get_by_role("alert")).to_have_text("Column 'y' has no number in row 5.")
    type_into(page, dialog, (5, 2), "100")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_have_count(0)
    expect(summary(page)).to_contain_text("5 points, sum of y 1")
    page.wait_for_url("**first_points=*")
    page.get_by_role("button", name="Reset").click()
    expect(summary(page)).to_have_text(drawn)
    page.wait_for_function("!location.search.includes('first_points')")


def test_edits_given_up_do_not_come_back(visit: Callable[[str], Page]) -> None:
    page = visit("/?first_function=step&first_n=4&first_noise=0")
    drawn = summary(page).inner_text()
    type_into(page, open_editor(page), (1, 2), "100")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    dialog = open_editor(page)
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_have_count(0)
    expect(summary(page)).to_have_text(drawn)


def test_each_page_keeps_its_own_while_the_other_is_open(visit: Callable[[str], Page]) -> None:
    page = visit("/?first_n=20&first_seed=3")
    page.get_by_role("button", name="Add a point").click()
    expect(summary(page)).to_contain_text("21 points")
    added = summary(page).inner_text()
    page.get_by_role("link", name="second").click()
    expect(page.get_by_role("heading", name="second")).to_be_visible()
    expect(summary(page)).to_contain_text("50 points")
    assert "first_" not in page.url
    page.get_by_role("link", name="first").click()
    expect(summary(page)).to_have_text(added)
