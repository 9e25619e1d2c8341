"""The learned w as a student meets it: train, pause, step, rewind, compare, drag w, stop a long run."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from attention_core.data import generate
from attention_core.learning.training import TrainingConfig, train
from attention_core.learning.valley import loss_at
from tests.browser.gestures import box, handle, messages, still

STAGE = ".st-key-lw_stage .picture"
STEPS = ".st-key-lw_steps .picture"
HAND = ".st-key-lw_hand_stage .picture"
CAPTION = f"{STAGE} .player output"
BALL = "circle.ball"
# The ball of the first graph and the number of the frame, of one and the same draw.
READ = """stage => ({
  frame: +stage.dataset.frame,
  ball: ["cx", "cy"].map(name => +stage.querySelector("circle.ball").getAttribute(name)),
  readouts: [...stage.querySelectorAll(".readouts b")].map(value => value.textContent),
  curve: stage.querySelector("path.prediction").getAttribute("d"),
})"""


@pytest.fixture
def opened(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Open the page and wait until its stage has drawn."""

    def open_run(query: str = "", stage: str = STAGE) -> Page:
        page = open_page(f"/learned_w{query}")
        page.emulate_media(reduced_motion="no-preference")  # or a run would not play by itself
        expect(page.locator(stage)).to_have_attribute("data-frame", re.compile(r"\d+"))
        return page

    return open_run


def seen(page: Page, stage: str = STAGE) -> dict[str, Any]:
    """What the stage shows once it has come to rest."""
    return still(page, lambda: page.locator(stage).evaluate(READ))


def player(page: Page, name: str) -> None:
    """Press a button of the play bar."""
    page.locator(f"{STAGE} .player").get_by_role("button", name=name, exact=True).click()


def test_train_step_rewind_and_space(opened: Callable[..., Page]) -> None:
    page = opened("?lw_epochs=12&lw_rate=0.01")
    steps = list(train(generate(), TrainingConfig(epochs=12, learning_rate=0.01)))
    for width, height in ((1280, 720), (1920, 1080), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        seen(page)
        ends = [sum(box(graph)[1::2]) for graph in page.locator(f"{STAGE} svg.graph").all()]
        assert len(ends) == 3
        assert max(ends) <= height, "player, pictures and graphs are in one view"
    before = seen(page)
    expect(page.locator(CAPTION)).to_have_text("epoch 0 · w 1 · loss 38.93")
    player(page, "Train")
    expect(page.locator(CAPTION)).to_contain_text(f"epoch 12 · w {steps[-1].w:.4g} · loss ")
    after = seen(page)
    assert after["ball"] != before["ball"]
    assert after["curve"] != before["curve"]
    expect(page).to_have_url(re.compile("lw_epoch=12"))
    player(page, "One epoch back")
    expect(page.locator(CAPTION)).to_contain_text(f"epoch 11 · w {steps[10].w:.4g} · loss {steps[11].loss:.4g}")
    player(page, "Rewind")
    expect(page.locator(CAPTION)).to_contain_text("epoch 0")
    expect(page).not_to_have_url(re.compile("lw_epoch="))
    page.locator(f"{STAGE} select").select_option("0.25")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.locator(f"{STAGE} .player").get_by_role("button", name="Pause", exact=True)).to_be_visible()
    page.keyboard.press(" ")
    expect(page.locator(f"{STAGE} .player").get_by_role("button", name="Train", exact=True)).to_be_visible()
    assert seen(page)["frame"] < 12, "in slow motion a run takes its time"


def test_the_d2l_preset_shows_d2ls_numbers_and_leaves_a_ghost(opened: Callable[..., Page]) -> None:
    page = opened()
    assert page.locator(f"{STAGE} path.ghost").count() == 0
    page.get_by_test_id("stSidebar").get_by_text("d2l: one leap", exact=True).click()
    expect(page.locator(CAPTION)).to_contain_text("epoch 5 · w 9.086")
    ghosts = page.locator(f"{STAGE} path.ghost")
    assert ghosts.count() == 2, "the steady run stays, in the loss and in w"
    assert "a" not in (ghosts.first.get_attribute("d") or "a"), "a line, not the circles of samples"
    expect(page.get_by_text("Overshot.")).to_be_visible()
    page.locator(f"{STAGE} svg.graph").nth(1).focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(f"{STAGE} .tooltip")).to_have_text("epoch 1 · loss 20.3592")
    for epoch, loss in ((4, "20.18"), (3, "20.24"), (2, "20.3"), (1, "20.36"), (0, "61.95")):
        player(page, "One epoch back")
        expect(page.locator(CAPTION)).to_contain_text(
            re.compile(rf"epoch {epoch} · w [\d.]+ · loss {re.escape(loss)}$")
        )
    page.locator(f"{STAGE} svg.graph").nth(1).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(f"{STAGE} .tooltip")).to_contain_text("epoch 0 · loss 61.95")  # the next is not drawn yet


@pytest.mark.parametrize("heads", [1, 2])
def test_the_graphs_draw_themselves_while_the_run_plays(opened: Callable[..., Page], heads: int) -> None:
    page = opened(f"?lw_epochs=12&lw_rate=0.01&lw_loss=sum&lw_heads={heads}&lw_epoch=6")
    expect(page.locator(CAPTION)).to_contain_text("epoch 6")
    over_epochs = page.locator(f"{STAGE} svg.graph").all()[-2:]

    def told() -> list[str | None]:
        return [graph.get_attribute("aria-label") for graph in over_epochs]

    halfway = told()
    assert [lines_of(graph) for graph in over_epochs] == [[6] * heads] * 2
    player(page, "Rewind")
    expect(page.locator(CAPTION)).to_contain_text("epoch 0")
    assert {count for graph in over_epochs for count in lines_of(graph)} == {0}, "nothing of what is to come"
    player(page, "Train")
    expect(page).to_have_url(re.compile("lw_epoch=12"))
    assert {count for graph in over_epochs for count in lines_of(graph)} == {12}
    assert all(now != then for now, then in zip(told(), halfway, strict=True)), "the end is told at the end"


def lines_of(graph: Locator) -> list[int]:
    """How many epochs far each line of a graph is drawn; one of them ends in the ball."""
    lines, ball = graph.evaluate(
        """svg => [
          [...svg.querySelectorAll(".prediction, .reference")].map(line => line.getAttribute("d").slice(1).split("L")),
          ["cx", "cy"].map(name => svg.querySelector("circle.ball").getAttribute(name)).join(),
        ]"""
    )
    assert ball in [points[-1] for points in lines]
    return [len(points) - 2 for points in lines]  # the first point, and the ball's


def test_the_hand_moves_the_ball_without_a_word_to_the_server(opened: Callable[..., Page]) -> None:
    page = opened("?lw_tab=by_hand", HAND)
    before, told = seen(page, HAND), messages(page)
    x, y = handle(page, "lw_hand")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 150, y, steps=30)
    expect(page.locator(HAND)).not_to_have_attribute("data-frame", str(before["frame"]))
    after = seen(page, HAND)
    assert after["ball"] != before["ball"]
    assert told == [], "the drag must not wait for the server"
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"lw_hand="))
    (w,) = re.findall(r"w ([\d.]+)", page.locator(".st-key-lw_hand [data-testid=stSliderThumbValue]").inner_text())
    loss = loss_at(generate(), float(w), loss="mean")
    assert float(after["readouts"][0]) == pytest.approx(loss, rel=1e-4)
    expect(page.get_by_text(f"leave-one-out loss of {loss:.5g}.", exact=False)).to_be_visible()
    expect(page.locator(f"{HAND} .mark")).to_have_count(0)
    page.locator(".st-key-lw_reveal label").click()
    expect(page.locator(f"{HAND} .marks")).to_have_text("best 3.96")
    expect(page.get_by_text(" % above the best, ")).to_be_visible()
    expect(page).to_have_url(re.compile("lw_reveal=true"))


def test_a_step_moves_its_tangent_on_the_valley_with_the_drag(opened: Callable[..., Page]) -> None:
    page = opened("?lw_tab=one_step", STEPS)
    told = messages(page)
    parts = [page.locator(f"{STEPS} {part}") for part in ("path.prediction", "path.query", BALL)]
    read = "part => part.getAttribute('d') ?? part.getAttribute('cx')"
    before = [part.evaluate(read) for part in parts]
    x, y = handle(page, "lw_step")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=10)
    expect(page.locator(".st-key-lw_step_waits")).to_have_attribute("data-waiting", "")
    assert all(part.evaluate(read) != then for part, then in zip(parts, before, strict=True))
    assert told == [], "the drag must not wait for the server"
    page.mouse.up()
    expect(page).to_have_url(re.compile("lw_step="))
    (epoch,) = re.findall(r"lw_step=(\d+)", page.url)
    step = list(train(generate(), TrainingConfig(100, 1.0, 1.0, loss="mean")))[int(epoch) - 1]
    numbers = page.locator(f"{STEPS} .readouts b").all_inner_texts()
    assert [float(numbers[place]) for place in (1, 2, 4)] == pytest.approx([step.loss, step.gradient, step.w], rel=1e-3)


def test_a_long_run_stops_and_goes_on(page: Page, server: str) -> None:
    """50,000 points: far too long to wait for, so the page must stay alive."""
    page.goto(f"{server}/learned_w?lw_n=50000&lw_epochs=500&lw_rate=1e-06&lw_tab=runs")
    page.locator(".st-key-lw_go_on button").click()  # a link starts nothing that is long
    expect(page.get_by_text(re.compile(r"Epoch \d+ of 500"))).to_be_visible()
    page.locator(".st-key-lw_stop button").click()
    expect(page.get_by_text(re.compile(r"Stopped after epoch \d+ of 500"))).to_be_visible()
    expect(page.locator(".st-key-lw_stop")).to_have_count(0)
    page.locator(".st-key-lw_go_on button").click()
    expect(page.locator(".st-key-lw_stop button")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Epoch \d+ of 500"))).to_be_visible()


def test_the_best_w_shows_when_the_run_is_over(opened: Callable[..., Page]) -> None:
    page = opened("?lw_epochs=12&lw_rate=1")
    best = page.locator(f"{STAGE} .late text")
    expect(best).to_have_text("best 3.96")
    expect(best).to_be_hidden()
    valley = page.locator(f"{STAGE} svg.graph").first
    expect(valley).not_to_have_attribute("aria-label", re.compile("is least"))
    page.locator(f"{STAGE} .player input[type=range]").press("End")
    expect(best).to_be_visible()
    expect(valley).to_have_attribute("aria-label", re.compile("is least"))
