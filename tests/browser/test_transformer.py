"""The opened Transformer as a student meets it: blocks that show their tensors, and writing symbol by symbol."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from attention_core.transformer.decoding import Choice
from attention_ui.chapters.transformer.blocks import blocks
from attention_ui.chapters.transformer.decoding import TEMPERATURES
from attention_ui.chapters.transformer.models import REVERSE, look, ready
from tests.browser.gestures import stepped, still

OPENED = ".st-key-transformer_diagram .opened"
DECODING = ".st-key-transformer_decoding .decoding"
# What is open, its name and shape in words, and how many cells its heatmaps have, read in one go.
TENSOR = """root => ({
    ...root.dataset,
    facts: root.querySelector(".facts").textContent,
    pressed: root.querySelector(".block[aria-pressed=true] text").textContent,
    sides: [...root.querySelectorAll(".numbers > .fitted canvas")].map(canvas => [canvas.height, canvas.width]),
    words: [...root.querySelectorAll(".numbers > .fitted .cells svg")].map(svg => svg.getAttribute("aria-label")),
})"""
# The step, the temperature, the symbols in their boxes and the bars with their numbers, read in one go.
WRITING = """root => ({
    ...root.dataset,
    boxes: [...root.querySelectorAll(".string:last-child .symbol")].map(box => box.textContent),
    bars: [...root.querySelectorAll(".bars li")].map(bar => [...bar.querySelectorAll(".name, .value")].map(part => part.textContent)),
    chosen: root.querySelector(".bars li.chosen .name").textContent,
})"""  # noqa: E501


def test_a_click_on_a_block_shows_its_tensor_and_shape(open_page: Callable[..., Page]) -> None:
    page = open_page("/transformer?transformer_text=9041")
    root = page.locator(OPENED)
    tensors = look(ready(), "9041").tensors
    for name in ("decoder.0.cross_attention.weights", "encoder.0.feed_forward.hidden", "next.probabilities"):
        page.locator(f"{OPENED} [data-name='{name}']").click()
        expect(root).to_have_attribute("data-tensor", name)
        seen: dict[str, Any] = still(page, lambda: root.evaluate(TENSOR))
        shape = tensors[name].shape
        assert f"{name} has shape ({', '.join(map(str, shape))})" in seen["facts"]
        assert seen["sides"] == [list(shape[-2:])] * (shape[1] if len(shape) == 4 else 1)
    assert seen["pressed"] == "Softmax"
    assert f"begin at 1 {tensors[name][0, 0].max():.4f}" in seen["words"][0]
    page.keyboard.press("ArrowDown")
    expect(root).to_have_attribute("data-tensor", "next.logits")
    page.wait_for_function("() => location.search.includes('next.logits')")


def test_a_number_marks_what_it_comes_from(open_page: Callable[..., Page]) -> None:
    page = open_page("/transformer?transformer_text=9041&transformer_block=decoder.0.cross_attention.scores")
    root = page.locator(OPENED)
    heads = root.locator(".numbers > .fitted .cells svg")
    heads.nth(1).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):  # the first shows the first cell
        page.keyboard.press(key)
    taken = json.loads(root.get_attribute("data-from") or "[]")
    assert [part["name"].rpartition(".")[2] for part in taken] == ["queries", "keys"]
    assert [(part["head"], part["row"]) for part in taken] == [(1, 1), (1, 3)], (
        "the query of its row, the key of its column"
    )
    expect(root.locator(".taken[visibility=visible]")).to_have_count(2)
    fed = [int(block.get_attribute("data-block") or "") for block in root.locator(".block.feeding").all()]
    made = [block.tensors[0] for block in blocks(ready().config)]
    assert sorted(made[i] for i in fed) == ["decoder.0.self_attention.norm", "encoder.0.feed_forward.norm"]
    root.locator(".from button").first.click()
    expect(root).to_have_attribute("data-tensor", "decoder.0.cross_attention.queries")


def test_stepping_writes_the_right_symbols_with_torchs_chances_without_waiting_for_the_server(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/transformer?transformer_tab=steps&transformer_text=2718&transformer_temperature=5")
    root = page.locator(DECODING)
    hot = TEMPERATURES.index(5.0)
    expect(root).to_have_attribute("data-temperature", str(hot))
    logits = look(ready(), "2718").tensors["next.logits"][0]
    names = REVERSE.target.symbols
    written = ["8", "1", "7", "2", "end"]
    expect(root).to_have_attribute("data-frame", "4")  # it opens on the finished alignment
    for step, symbol in enumerate(written):
        assert stepped(root, "One symbol on" if step else "Rewind") == str(step)
        seen: dict[str, Any] = root.evaluate(WRITING)
        assert seen["boxes"] == written[: step + 1]
        assert seen["chosen"] == symbol
        chances = dict(zip(names, Choice(5.0).probabilities(logits[step]).tolist(), strict=True))
        for shown in json.loads(seen["chances"]):
            assert abs(shown["probability"] - chances[shown["symbol"]]) < 1e-5
        assert [name for name, _ in seen["bars"]] == sorted(chances, key=chances.__getitem__, reverse=True)[:6]
        assert all(abs(float(value) - chances[name]) < 1e-4 for name, value in seen["bars"])
    page.get_by_label("One symbol back").click()
    expect(root).to_have_attribute("data-written", "8 1 7 2")
    page.wait_for_function("() => location.search.includes('transformer_at=4')")
    page.reload()
    expect(root).to_have_attribute("data-written", "8 1 7 2")


def test_a_bad_string_keeps_the_picture(open_page: Callable[..., Page]) -> None:
    page = open_page("/transformer?transformer_text=555")
    root = page.locator(OPENED)
    expect(root).to_have_attribute("data-read", "555")
    field = page.locator(".st-key-transformer_text input")
    field.fill("5x5")
    field.press("Enter")
    expect(page.get_by_test_id("stAlert").first).to_contain_text("may hold only digits; 'x' is not one of them")
    expect(root).to_have_attribute("data-read", "555")
    assert root.evaluate(TENSOR)["sides"] == [[4, 3], [4, 3]]
    field.fill("908")
    field.press("Enter")
    expect(root).to_have_attribute("data-read", "908")
    expect(page.get_by_text("may hold only digits")).to_have_count(0)
