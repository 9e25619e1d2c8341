"""One query among six keys, as a student meets it: by mouse, by arrow keys and by finger, in torch's own numbers."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from playwright.sync_api import Page, expect

from attention_core.demos.qkv import LINE, PLANE, pooled
from tests.browser.gestures import box, finger, handle, messages, still

DIAGRAM = ".st-key-qkv_diagram .qkv"
KEYS = f"{DIAGRAM} svg.keys"
PIN = f"{DIAGRAM} .handle .pin"
# Data, numbers and drawing of one picture, read in one go.
PICTURE = """root => ({
    ...root.dataset,
    bands: [...root.querySelectorAll(".band")].map(band => +band.getAttribute("stroke-width")),
    words: root.querySelector("svg.keys").getAttribute("aria-label"),
    table: [...root.querySelectorAll(".numbers tr:not(:last-child) td:nth-child(4)")].map(cell => cell.textContent),
    full: +root.querySelector(".pill").getAttribute("width"),
    shown: [...root.querySelectorAll("svg.flow .number.strong")].map(text => +text.textContent),
})"""


@pytest.fixture
def chapter(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Open the chapter and wait until torch's own answer stands in the diagram."""

    def open_chapter(query: str = "") -> Page:
        page = open_page("/qkv" + query)
        expect(page.locator(DIAGRAM)).to_have_attribute("data-exact", "true")
        return page

    return open_chapter


def numbers(picture: dict[str, Any]) -> list[float]:
    """The weights of a picture."""
    return [float(weight) for weight in picture["weights"].split(",")]


def checked_picture(page: Page) -> dict[str, Any]:
    """The picture on the screen, after comparing all of it with torch."""
    seen: dict[str, Any] = page.locator(DIAGRAM).evaluate(PICTURE)
    query = torch.tensor([[float(number) for number in seen["query"].split(",")]], dtype=torch.float64)
    temperature = float(seen["temperature"].removeprefix("T = ").replace("∞", "inf"))
    usual = PLANE if seen["space"] == "plane" else LINE
    keys = torch.tensor([[float(x) for x in key.split(",")] for key in seen["keys"].split(";")], dtype=torch.float64)
    values = torch.tensor([float(value) for value in seen["values"].split(",")], dtype=torch.float64)
    (output,), (weights,) = pooled(query, temperature, usual._replace(keys=keys, values=values))
    assert numbers(seen) == pytest.approx(weights.tolist(), abs=1e-5)
    assert float(seen["output"]) == pytest.approx(output.item(), abs=1e-4)
    *shown, shown_output = seen["shown"]
    assert shown == pytest.approx(weights.tolist(), abs=6e-4)
    assert shown_output == pytest.approx(output.item(), abs=6e-3)
    assert [float(cell) for cell in seen["table"]] == pytest.approx(weights.tolist(), abs=1e-4), "the table follows"
    assert seen["bands"] == pytest.approx((weights * seen["full"]).tolist(), abs=0.01), "bands are as thick as weights"
    assert sum(seen["bands"]) == pytest.approx(seen["full"], abs=0.01)
    if seen["exact"] == "true":
        assert f"Output {output.item():.4f}" in seen["words"]
    return seen


def test_a_drag_of_the_query_moves_everything_without_a_word_to_the_server(chapter: Callable[..., Page]) -> None:
    page = chapter()
    before, sent = checked_picture(page), messages(page)
    x, y, width, height = box(page.locator(PIN))
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    for step in range(1, 31):
        page.mouse.move(x + width / 2 + 10 * step, y + height / 2)
    expect(page.locator(DIAGRAM)).to_have_attribute("data-query", re.compile(r"^5\."))
    during = still(page, lambda: checked_picture(page))
    assert during["exact"] == "false"
    moved = [abs(now - then) for now, then in zip(numbers(during), numbers(before), strict=True)]
    assert min(moved) > 1e-4, "every weight moves"
    assert sent == [], "the drag must not wait for the server"
    page.mouse.up()
    expect(page.locator(DIAGRAM)).to_have_attribute("data-exact", "true")
    after = checked_picture(page)
    assert after["query"] == during["query"]
    expect(page).to_have_url(re.compile(f"qkv_query={re.escape(after['query'])}(&|$)"))


def test_the_temperature_runs_to_both_ends_by_hand(chapter: Callable[..., Page]) -> None:
    page = chapter("?qkv_query=6.1")
    sent = messages(page)
    x, y = handle(page, "qkv_temperature")
    left, _, width, _ = box(page.locator(".st-key-qkv_temperature"))
    page.mouse.move(x, y)
    page.mouse.down()
    for end, text in ((left + width, "T = 0"), (left, "T = ∞")):
        page.mouse.move((x + end) / 2, y)
        page.mouse.move(end, y)
        expect(page.locator(DIAGRAM)).to_have_attribute("data-temperature", text)
        weights = numbers(checked_picture(page))
        assert weights == ([0, 0, 0, 0, 1, 0] if text == "T = 0" else pytest.approx([1 / 6] * 6, abs=1e-12))
    assert sent == [], "the drag must not wait for the server"
    page.mouse.up()
    expect(page).to_have_url(re.compile("qkv_temperature=inf"))


def test_arrow_keys_move_the_query_in_the_plane(chapter: Callable[..., Page]) -> None:
    page = chapter("?qkv_space=plane&qkv_query=2.5,3.125&qkv_temperature=0.464")
    assert checked_picture(page)["query"] == "2.5,3.125"
    page.locator(f"{DIAGRAM} .handle").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator(DIAGRAM)).to_have_attribute("data-query", "2.75,3")
    expect(page.locator(DIAGRAM)).to_have_attribute("data-exact", "true")
    expect(page).to_have_url(re.compile("qkv_query=2.75%2C3"))
    checked_picture(page)


def test_keys_and_values_are_dragged_without_a_word_to_the_server_and_stand_in_the_link(
    chapter: Callable[..., Page],
) -> None:
    page = chapter()
    sent = messages(page)
    x, y, width, height = box(page.locator(f"{DIAGRAM} .key").first)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2 + 200, y + height / 2, steps=10)
    expect(page.locator(DIAGRAM)).to_have_attribute("data-keys", re.compile(r"^(1\.9|2(\.\d)?);1\.5;"))
    during = still(page, lambda: checked_picture(page))
    assert sent == [], "the drag must not wait for the server"
    page.mouse.up()
    expect(page).to_have_url(re.compile("qkv_line=[12]"))
    expect(page.locator(DIAGRAM)).to_have_attribute("data-exact", "true")
    assert checked_picture(page)["keys"] == during["keys"]

    value = page.locator(f"{DIAGRAM} input.value").nth(2)
    x, y, width, height = box(value)
    sent.clear()
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2, y + height / 2 + 60, steps=10)
    expect(page.locator(DIAGRAM)).to_have_attribute("data-values", "62,18,55,34,71,9")
    still(page, lambda: checked_picture(page))
    assert sent == []
    page.mouse.up()
    expect(page).to_have_url(re.compile("qkv_values=62%2C18%2C55"))
    value.fill("7")
    value.press("Enter")
    expect(page).to_have_url(re.compile("qkv_values=62%2C18%2C7%2C"))
    expect(page.locator(DIAGRAM)).to_have_attribute("data-exact", "true")
    checked_picture(page)
    page.locator(f"{DIAGRAM} .key").nth(5).focus()
    for place in ("7.3", "7.2"):  # new frames leave the focus where it is
        page.keyboard.press("ArrowLeft")
        expect(page.locator(DIAGRAM)).to_have_attribute("data-keys", re.compile(f";{place}$"))
        expect(page).to_have_url(re.compile(f"%2C{place}(&|$)"))
    page.locator(".st-key-qkv_reset button").click()
    expect(page.locator(DIAGRAM)).to_have_attribute("data-keys", "0.7;1.5;2.9;4.6;5.7;7.4")
    expect(page.locator(DIAGRAM)).to_have_attribute("data-values", "62,18,85,34,71,9")
    checked_picture(page)


def test_a_finger_drags_it_on_a_phone(phone: Page, server: str) -> None:
    phone.goto(f"{server}/qkv")
    expect(phone.locator(DIAGRAM)).to_have_attribute("data-exact", "true")
    phone.locator(KEYS).scroll_into_view_if_needed()
    x, y, width, height = box(phone.locator(PIN))
    with finger(phone, x + width / 2, y + height / 2) as move:
        for step in range(1, 9):
            move(x + width / 2 + 12 * step, y + height / 2)
    expect(phone.locator(DIAGRAM)).to_have_attribute("data-query", re.compile(r"^[56](\.|$)"))
    expect(phone.locator(DIAGRAM)).to_have_attribute("data-exact", "true")
    checked_picture(phone)
    phone.locator(f"{DIAGRAM} .numbers").scroll_into_view_if_needed()
    x, y = handle(phone, "qkv_temperature")
    at = "([x, y]) => !!document.elementFromPoint(x, y).closest('.st-key-qkv_temperature')"
    assert phone.evaluate(at, [x, y]), "the slider stays in sight, in its column too"
    main = phone.locator("[data-testid=stMain]")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") <= 2, "nothing scrolls sideways"
